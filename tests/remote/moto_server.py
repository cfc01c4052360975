"""moto's server, with two things that it lacks once it verifies signatures:

- It verifies them of addresses as its framework puts them together again, which are others than those that were signed
  where a key has a plus or is not ASCII, or a prefix has a slash. Here it takes them as they came.
- It has no requests without a signature. Here those are refused, as AWS does, but for buckets with a policy, which in these
  tests lets everybody read.

    python moto_server.py -H 127.0.0.1 -p PORT
"""
import flask
from moto.core.authorization import ActionAuthenticatorMixin
from moto.iam.access_control import S3IAMRequest
from moto.s3.exceptions import S3AccessDeniedError
from moto.s3.models import s3_backends
from moto.server import main

signed_request = S3IAMRequest._create_aws_request
authorize = ActionAuthenticatorMixin._authenticate_and_authorize_s3_action


def signed_request_as_it_came(self):
    self._path = flask.request.environ["REQUEST_URI"]
    return signed_request(self)


def is_public(bucket):
    return any(bucket in backend.buckets and backend.buckets[bucket].policy
               for regions in s3_backends.values() for backend in regions.values())


def authorize_or_refuse(self, bucket_name=None, key_name=None):
    if "Authorization" in self.headers:
        authorize(self, bucket_name, key_name)
    elif not is_public(bucket_name):
        raise S3AccessDeniedError()


S3IAMRequest._create_aws_request = signed_request_as_it_came
ActionAuthenticatorMixin._authenticate_and_authorize_s3_action = authorize_or_refuse

if __name__ == "__main__":
    main()
