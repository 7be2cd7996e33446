"""``GET /v1/methods``: the methods that can be asked for."""

from fastapi import APIRouter, Depends
from starlette.responses import Response

from bonmun.serve.access.scopes import needs
from bonmun.serve.dependencies import TheService
from bonmun.serve.method_list import MethodAnswer, MethodsWork

router = APIRouter(prefix="/v1", tags=["extract"], dependencies=[Depends(needs("extract"))])


@router.get("/methods", response_model=list[MethodAnswer])
async def methods(service: TheService) -> Response:
    """Return the methods by name, those of plug-ins too."""
    if service.methods is None:
        service.methods = await service.perform(MethodsWork())
    return Response(service.methods, media_type="application/json")
