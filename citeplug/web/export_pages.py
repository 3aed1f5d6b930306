"""The export in the review page: the section and its entries, to be copied or downloaded, and the files of a zip."""

import io
import zipfile
from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response

from citeplug.errors import CiteplugError, UnreadableInput, UsageError
from citeplug.files.decode import decode
from citeplug.project.author_files import read_or_none
from citeplug.related.section.status import state_of
from citeplug.related.section.strip import strip_comments
from citeplug.web.frame import PageFrame, saved
from citeplug.web.section_pages import due


class ExportPages:
    """The handlers; `pages` renders them."""

    def __init__(self, pages: PageFrame) -> None:
        self._pages = pages

    @property
    def get(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/export": self.export, "/export/file": self.exported, "/changed.zip": self.changed}

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        return {}

    def export(self, request: Request, error: CiteplugError | None = None) -> Response:
        clean = _is_clean(request)
        state = state_of(self._pages.review.project)
        return self._pages.render(
            "export.html",
            request,
            error,
            files=self._files(clean=clean),
            clean=clean,
            due=due(state),
            statuses=[sentence.status for sentence in state.sentences if sentence.stands],
            names=self._pages.review.changed_files()[1] if self._pages.review.zip_name else [],
        )

    def exported(self, request: Request) -> Response:
        """One of the files that the page of the export shows, to be saved; without a name both, as a zip."""
        texts = {name: text for name, text in self._files(clean=_is_clean(request)) if text is not None}
        name = request.query_params.get("name", "")
        if name in texts:
            return saved(name, texts[name], "text/plain")
        if name or not texts:
            raise UsageError("there is no such file", "open the export again")
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file, text in texts.items():
                archive.writestr(file, text)
        return saved(f"{self._pages.review.project.where.tex.stem}.zip", packed.getvalue(), "application/zip")

    def _files(self, *, clean: bool) -> list[tuple[str, str | None]]:
        """The section and its entries as they are exported; None where there is no file."""
        project = self._pages.review.project
        tex, bib = (read_or_none(path, project.encoding) for path in (project.where.tex, project.where.bib))
        return [(project.where.tex.name, strip_comments(tex) if tex and clean else tex), (project.where.bib.name, bib)]

    def changed(self, request: Request) -> Response:
        """The changed files of a zip, without citeplug's comments and its record unless these are asked for."""
        data, _ = self._pages.review.changed_files()
        if _is_clean(request):
            project = self._pages.review.project
            section = project.where.tex.relative_to(self._pages.review.place).as_posix()
            data = _clean(data, section, project.encoding)
        return saved("changed.zip", data, "application/zip")


def _is_clean(request: Request) -> bool:
    return "comments" not in request.query_params


def _clean(data: bytes, section: str, declared: str | None) -> bytes:
    """A zip without citeplug's records, and without its comments in the section, which has this name there."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as cleaned:
        for info in archive.infolist():
            content = archive.read(info)
            if info.filename == section:
                decoded = decode(content, declared)
                if not decoded.exact:
                    raise UnreadableInput(f"{section} has bytes that fit no encoding", "save it as UTF-8")
                content = strip_comments(decoded.text).encode(decoded.encoding)
            if ".citeplug/" not in info.filename:
                cleaned.writestr(info, content)
    return packed.getvalue()
