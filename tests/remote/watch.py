"""Looks for secrets in what commands print, and in the names and contents of all files that they leave.

    watch = Watch(command, {"password": "known"})
    watch.run(1, "inspect", "http://somebody:known@127.0.0.1:1/x")       # expects exit code 1
    watch.finds_no_secret()
"""
import base64
import os
import urllib.parse

from nginx import USER


def forms_of(secret):
    """As it may stand in an address, and in a header."""
    yield secret
    yield urllib.parse.quote(secret, safe="")
    yield base64.b64encode(f"{USER}:{secret}".encode()).decode()


class Watch:
    def __init__(self, command, secrets):
        self.command, self.secrets, self.said = command, secrets, []

    def run(self, code, *words, **environment):
        result = self.command.run(*words, **environment)
        assert code in (None, result.code), f"{words} ended with {result.code}: {result.out}{result.err}"
        self.said.append((words[0], result.out + result.err))
        return result

    def both(self, code, *words, **environment):
        """As text and as JSON; any exit code if it is None."""
        for more in ([], ["--json"]):
            self.run(code, *words, *more, **environment)

    def texts(self):
        yield from self.said
        for folder, _, names in os.walk(self.command.folder):
            for name in names:
                path = os.path.join(folder, name)
                yield path, path
                with open(path, "rb") as file:
                    yield path, file.read().decode("latin-1")

    def finds_no_secret(self):
        for where, text in self.texts():
            for kind, secret in self.secrets.items():
                for form in forms_of(secret):
                    assert form not in text, f"the {kind} is in {where}: {text[:2000]}"
