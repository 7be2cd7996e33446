"""The login screen: takes a token, gives the browser a session."""

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bonmun.serve.access.gatekeeper import Gatekeeper, address_of
from bonmun.serve.access.sessions import COOKIE
from bonmun.serve.page.rendering import Screen, render

router = APIRouter(include_in_schema=False)

LOGIN: Final = Screen("login.html", "login")
_MAX_TOKEN: Final = 200


@router.get("/login")
async def login_screen(request: Request) -> Response:
    """Ask for a token."""
    destination = local_path(request.query_params.get("next", ""))
    if not _gatekeeper(request).needs_tokens or request.state.owner:
        return RedirectResponse(destination, 303)
    return render(request, LOGIN, destination=destination, wrong=False)


@router.post("/login")
async def login(request: Request) -> Response:
    """Start a session for a valid token."""
    form = await request.form(max_files=0, max_fields=4)
    secret, destination = str(form.get("token", "")).strip(), local_path(str(form.get("next", "")))
    gatekeeper = _gatekeeper(request)
    if not gatekeeper.needs_tokens:
        return RedirectResponse(destination, 303)
    token = gatekeeper.holder_of(secret) if len(secret) <= _MAX_TOKEN else None
    if token is None:
        refusal = gatekeeper.refusal(address_of(request), given=True)
        if refusal.status != 401:
            raise refusal
        screen = render(request, LOGIN, destination=destination, wrong=True)
        screen.status_code = refusal.status
        screen.headers.update(refusal.headers)
        return screen
    answer = RedirectResponse(destination, 303)
    secure = request.url.scheme == "https"
    answer.set_cookie(COOKIE, gatekeeper.sessions.start(token.hash), secure=secure, httponly=True, samesite="strict")
    return answer


@router.post("/logout")
async def logout(request: Request) -> Response:
    """End the session."""
    _gatekeeper(request).sessions.end(request.cookies.get(COOKIE, ""))
    answer = RedirectResponse("/login", 303)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return answer


def local_path(path: str) -> str:
    r"""Return a path of this service to go on with; the start for anything else.

    >>> [local_path(path) for path in ("/archive?q=tea", "//evil.example", r"/\evil.example", "https://a", "")]
    ['/archive?q=tea', '/', '/', '/', '/']
    """
    is_local = path.startswith("/") and path[1:2] not in ("/", "\\") and path.isprintable()
    return path if is_local else "/"


def _gatekeeper(request: Request) -> Gatekeeper:
    gatekeeper: Gatekeeper = request.app.state.gatekeeper
    return gatekeeper
