"""What an installation with every extra brings may be used under permissive licences, or the MPL."""

import re
from importlib.metadata import Distribution, distribution

import pytest
from packaging.requirements import Requirement

EXTRAS = ("keyring", "models", "openai", "topics", "web")
PERMITTED = re.compile(r"\b(0BSD|Apache|BSD|CC0|CNRI|ISC|MIT|MIT-0|MPL|Mozilla|PSF|Python|Zlib)\b")


def dependencies(name: str, extras: tuple[str, ...], known: dict[str, Distribution]) -> None:
    """Add a distribution and what it asks for on this system to those that are known, by normalized name."""
    known[re.sub(r"[-_.]+", "-", name).lower()] = package = distribution(name)
    for requirement in map(Requirement, package.requires or ()):
        asked = [not requirement.marker or requirement.marker.evaluate({"extra": extra}) for extra in ("", *extras)]
        if any(asked) and re.sub(r"[-_.]+", "-", requirement.name).lower() not in known:
            dependencies(requirement.name, tuple(requirement.extras), known)


def licences(package: Distribution) -> str:
    """What the metadata says: the expression, or the classifiers and the first line of the text."""
    expressions = package.metadata.get_all("License-Expression", [])
    classifiers = [value for value in package.metadata.get_all("Classifier", []) if value.startswith("License ::")]
    texts = [text.split("\n")[0] for text in package.metadata.get_all("License", [])]
    return " ".join(expressions or classifiers + texts)


@pytest.fixture(scope="module")
def packages() -> dict[str, Distribution]:
    known: dict[str, Distribution] = {}
    dependencies("citeplug", EXTRAS, known)
    return known


def test_every_dependency_has_a_licence_that_lets_it_be_used_anywhere(packages: dict[str, Distribution]) -> None:
    assert len(packages) > 80
    assert [name for name, package in packages.items() if not PERMITTED.search(licences(package))] == []


def test_no_dependency_is_under_the_gpl_or_agpl(packages: dict[str, Distribution]) -> None:
    stated = {name: licences(package) for name, package in packages.items()}
    assert {name: text for name, text in stated.items() if re.search(r"GPL|General Public", text)} == {}
