"""moto's S3 on the loopback, which verifies the signature of every request.

    with S3Server(work) as server:
        server.client().put_object(Bucket="models", Key="digits.mxz", Body=b"...")
        command.run("verify", "s3://models/digits.mxz", **server.environment())

`user` has keys that are good for everything; those of `role` have a session token.
"""
import json
import os
import pathlib
import re
import sys
import urllib.request

import boto3
import botocore.config

from processes import HOST, ServerProcess

PROGRAM = pathlib.Path(__file__).with_name("moto_server.py")
ALLOW_ALL = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]})
TRUST_ALL = json.dumps({"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"AWS": "*"}}]})
REGION = "us-east-1"
# Of a list; AWS gives a thousand names at once.
PAGE = 7


class Keys:
    def __init__(self, access_key_id, secret_access_key, session_token=""):
        self.access_key_id, self.secret_access_key, self.session_token = access_key_id, secret_access_key, session_token

    def environment(self):
        names = {"AWS_ACCESS_KEY_ID": self.access_key_id, "AWS_SECRET_ACCESS_KEY": self.secret_access_key,
                 "AWS_SESSION_TOKEN": self.session_token}
        return {name: value for name, value in names.items() if value}

    def profile(self, name):
        """A section of ~/.aws/credentials."""
        return f"[{name}]\n" + "".join(f"{key.lower()} = {value}\n" for key, value in self.environment().items())


class S3Server:
    def __init__(self, work):
        self._process = ServerProcess(lambda port: [sys.executable, str(PROGRAM), "-H", HOST, "-p", str(port)],
                                      work / "moto.log",
                                      env={**os.environ, "MOTO_S3_DEFAULT_MAX_KEYS": str(PAGE), "PYTHONDONTWRITEBYTECODE": "1"})
        (self.port,) = self._process.ports
        self._log = work / "moto.log"
        self._make_keys()
        # How many requests are taken unseen. The type, since the server would take a form apart.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        opener.open(urllib.request.Request(f"http://{HOST}:{self.port}/moto-api/reset-auth", b"0",
                                           {"Content-Type": "text/plain"})).close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stop()

    def service(self, name, keys=None):
        keys = keys or self.user
        return boto3.client(name, endpoint_url=f"http://{HOST}:{self.port}", region_name=REGION,
                            aws_access_key_id=keys.access_key_id, aws_secret_access_key=keys.secret_access_key,
                            aws_session_token=keys.session_token or None,
                            config=botocore.config.Config(retries={"max_attempts": 1}, s3={"addressing_style": "path"}))

    def _make_keys(self):
        nobody, name = Keys("any", "any"), "reader"
        iam = self.service("iam", nobody)
        iam.create_user(UserName=name)
        iam.put_user_policy(UserName=name, PolicyName="all", PolicyDocument=ALLOW_ALL)
        made = iam.create_access_key(UserName=name)["AccessKey"]
        role = iam.create_role(RoleName="reading", AssumeRolePolicyDocument=TRUST_ALL)["Role"]["Arn"]
        iam.put_role_policy(RoleName="reading", PolicyName="all", PolicyDocument=ALLOW_ALL)
        session = self.service("sts", nobody).assume_role(RoleArn=role, RoleSessionName="tests")["Credentials"]
        self.user = Keys(made["AccessKeyId"], made["SecretAccessKey"])
        self.role_arn = role
        self.role = Keys(session["AccessKeyId"], session["SecretAccessKey"], session["SessionToken"])

    def environment(self, keys=None, port=None):
        return {"AWS_ENDPOINT_URL": f"http://{HOST}:{port or self.port}", "AWS_REGION": REGION,
                **(keys or self.user).environment()}

    def requests(self):
        """["GET /models/digits.mxz", ...]"""
        return re.findall(r"((?:GET|HEAD|PUT|POST) \S+) HTTP/", self._log.read_text(errors="replace"))
