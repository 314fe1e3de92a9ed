"""One comment of ours on a pull request, found again by a marker.

Invariants: nobody else's comment is touched; a comment is written by one request or not at all; the token goes to the API's own
host alone, and nowhere else.
"""

import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request

from runner import Fault

# GitHub takes so many characters; bytes are counted, and there are never fewer of these.
LIMIT = 65_000
TRIES = 4
SECONDS = 30
# So many pages of comments are read.
PAGES = 50


class Refused(Exception):
    """The API says no: the token may not."""


class Gone(Exception):
    """An answer didn't come, or was a fault of the server."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would take the token to another host."""

    def redirect_request(self, *_):
        return None


class Api:
    """GitHub's REST API."""

    def __init__(self, runner, token, pause=time.sleep):
        self.root = runner.get("GITHUB_API_URL", "https://api.github.com").rstrip("/")
        self.token, self.pause = token, pause
        self.opener = urllib.request.build_opener(NoRedirect)

    def once(self, method, url, body=None):
        """One request. Gives the answer's JSON, and the address of the next page."""
        if urllib.parse.urlsplit(url)[:2] != urllib.parse.urlsplit(self.root)[:2]:
            raise Fault("The API names a page on another host.")
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": "Bearer " + self.token, "Accept": "application/vnd.github+json",
                   "X-GitHub-Api-Version": "2022-11-28", "User-Agent": "tf-phi-action"}
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(url, data=data, method=method, headers=headers)
        try:
            with self.opener.open(request, timeout=SECONDS) as answer:
                text, links = answer.read(), answer.headers.get("Link", "")
        except urllib.error.HTTPError as error:
            error.read()
            wait = error.headers.get("Retry-After", "")
            if error.code == 429 or error.code >= 500 or (error.code == 403 and wait):
                raise Gone("status %d" % error.code, int(wait) if wait.isdigit() else None) from None
            if error.code in (401, 403, 404):
                raise Refused("status %d" % error.code) from None
            raise Fault("GitHub answers with status %d." % error.code) from None
        except (OSError, ValueError) as error:
            raise Gone(type(error).__name__, None) from None
        following = re.search(r'<([^>]+)>;\s*rel="next"', links)
        try:
            return json.loads(text or b"null"), following and following.group(1)
        except ValueError:
            raise Fault("GitHub's answer is no JSON.") from None

    def asked(self, method, url, body=None):
        """A request that does the same however often it is made."""
        return self.again(lambda: self.once(method, url, body))

    def again(self, work):
        """Does a piece of work until the server is well, a few times."""
        for attempt in range(TRIES):
            try:
                return work()
            except Gone as gone:
                why, wait = gone.args
                if attempt + 1 == TRIES:
                    raise Fault("GitHub doesn't answer: %s, %d times." % (why, TRIES)) from None
                self.pause(min(wait or 2**attempt, 60))
        return None


def put(runner, token, number, key, body, pause=time.sleep):
    """Updates our comment, or makes it. `body` gives the text for a limit of bytes."""
    repository = runner.get("GITHUB_REPOSITORY")
    if number < 1 or not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        raise Fault("The pull request can't be told.")
    api = Api(runner, token, pause)
    mark = "<!-- tf-phi:%s -->\n" % key
    text = mark + runner.clean(body(LIMIT - len(mark)))
    base = "%s/repos/%s/issues" % (api.root, repository)
    mine = own(api)

    def write():
        # Asked in each turn: an answer that didn't come may have been to a comment that was made.
        known = find(api, "%s/%d/comments?per_page=100" % (base, number), mark, mine)
        if known:
            return api.once("PATCH", "%s/comments/%d" % (base, known), {"body": text})
        return api.once("POST", "%s/%d/comments" % (base, number), {"body": text})

    api.again(write)


def own(api):
    """Whether a user is the one that the token speaks for. A workflow's own token isn't told who it is: it is a bot."""
    try:
        user, _ = api.asked("GET", api.root + "/user")
        return lambda u: u.get("login") == user.get("login")
    except (Refused, AttributeError):
        return lambda u: u.get("type") == "Bot"


def find(api, page, mark, mine):
    """The first comment of ours that begins with the marker."""
    for _ in range(PAGES):
        comments, page = api.once("GET", page)
        for one in comments if isinstance(comments, list) else []:
            text, user = str(one.get("body") or ""), one.get("user") or {}
            if mine(user) and text.replace("\r\n", "\n").startswith(mark):
                return int(one["id"])
        if not page:
            break
    return None
