"""Dockerfile and Kubernetes example: what they name exists, and their commands work."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from solstis_ai.cli import main
from solstis_ai.search.types import SearchConfig

ROOT = Path(__file__).parents[1]
PATIENCE = 30.0


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, continued lines joined."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text("utf-8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    pairs = [line.strip().partition(" ") for line in lines if line.strip()]
    return [(name, rest.strip()) for name, _, rest in pairs]


def all_of(name: str) -> list[str]:
    return [rest for found, rest in instructions() if found == name]


def copied() -> list[str]:
    """Paths of the repository that the image is built from."""
    sources: list[str] = []
    for rest in all_of("COPY"):
        if not rest.startswith("--from="):
            sources += rest.split()[:-1]
    return sources


def served(arguments: list[str]) -> dict[str, str]:
    """The options of a ``serve`` command, which are known to it."""
    name, *options = arguments
    assert name == "serve"
    pairs = dict(zip(options[::2], options[1::2], strict=True))
    known = CliRunner().invoke(main, ["serve", "--help"]).stdout
    assert all(re.search(rf"{option}\b", known) for option in pairs)
    return pairs


@pytest.fixture(scope="module")
def manifests() -> dict[str, Any]:
    documents = yaml.safe_load_all((ROOT / "deploy" / "kubernetes.yaml").read_text("utf-8"))
    return {document["kind"]: document for document in documents}


@pytest.fixture(scope="module")
def container(manifests: dict[str, Any]) -> Any:
    (only,) = manifests["Deployment"]["spec"]["template"]["spec"]["containers"]
    return only


def test_everything_that_is_copied_exists_and_is_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()

    assert copied()
    for source in copied():
        assert (ROOT / source).exists()
        assert f"!{source}" in ignored


def test_the_image_runs_without_root_and_knows_its_health() -> None:
    names = [name for name, _ in instructions()]
    base = all_of("FROM")

    assert len(base) == 2
    assert all(re.match(r"python:\d\.\d+-slim", image) for image in base), "pinned and small"
    assert all_of("USER") == ["10001"]
    assert names.index("USER") > len(names) - names[::-1].index("FROM")
    assert json.loads(all_of("ENTRYPOINT")[0]) == ["solstis-ai"]
    check = all_of("HEALTHCHECK")[0].partition("CMD ")[2]
    assert json.loads(check)[:2] == ["solstis-ai", "health"]


def test_the_image_listens_where_its_health_is_checked() -> None:
    options = served(json.loads(all_of("CMD")[0]))

    assert options["--host"] == "0.0.0.0"
    assert options["--port"] in all_of("EXPOSE")[0].split()
    assert all_of("HEALTHCHECK")[0].endswith(f'"127.0.0.1:{options["--port"]}"]')


def test_the_pods_are_probed_over_grpc(container: Any) -> None:
    port = served(container["args"])["--port"]
    ports = {entry["name"]: entry["containerPort"] for entry in container["ports"]}

    assert ports["grpc"] == int(port)
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[probe]["grpc"]["port"] == int(port)


def test_the_pods_have_longer_than_the_grace(manifests: dict[str, Any], container: Any) -> None:
    grace = float(served(container["args"])["--grace"])
    alive = container["livenessProbe"]

    assert (
        manifests["Deployment"]["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] > grace
    )
    assert alive["periodSeconds"] * alive["failureThreshold"] > grace


def test_the_pods_have_no_rights(manifests: dict[str, Any], container: Any) -> None:
    pod = manifests["Deployment"]["spec"]["template"]["spec"]["securityContext"]

    assert pod["runAsNonRoot"] is True
    assert str(pod["runAsUser"]) == all_of("USER")[0]
    assert container["securityContext"]["allowPrivilegeEscalation"] is False
    assert container["securityContext"]["readOnlyRootFilesystem"] is True


def test_the_pods_have_room_for_their_searches(container: Any) -> None:
    slots = int(served(container["args"])["--slots"])
    limits = container["resources"]["limits"]

    assert int(limits["cpu"]) == slots
    memory = int(limits["memory"].removesuffix("Gi")) << 30
    assert memory > 4 * slots * 24 * SearchConfig().max_nodes


def test_clients_see_every_replica(manifests: dict[str, Any]) -> None:
    service, deployment = manifests["Service"]["spec"], manifests["Deployment"]["spec"]

    assert service["clusterIP"] == "None"
    assert service["selector"] == deployment["selector"]["matchLabels"]
    assert service["selector"] == deployment["template"]["metadata"]["labels"]


def test_replicas_follow_the_processor(manifests: dict[str, Any]) -> None:
    scaler = manifests["HorizontalPodAutoscaler"]["spec"]
    (metric,) = scaler["metrics"]

    assert scaler["scaleTargetRef"]["name"] == manifests["Deployment"]["metadata"]["name"]
    assert metric["resource"]["name"] == "cpu"
    assert "replicas" not in manifests["Deployment"]["spec"], "it would undo the scaler's work"
    assert scaler["minReplicas"] >= 2


@pytest.mark.long
@pytest.mark.timeout(900)
def test_the_commands_of_the_image_work_in_a_fresh_environment(tmp_path: Path) -> None:
    """As the Dockerfile does it: only what it copies, installed, served, checked, stopped."""
    source, environment = tmp_path / "src", tmp_path / "env"
    source.mkdir()
    for name in copied():
        _copy(ROOT / name, source / name)
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    (install,) = re.findall(r"bin/(pip install [^&]+)&&", all_of("RUN")[1])
    pip = [str(environment / "bin" / "pip"), *shlex.split(install)[1:], "--quiet"]
    subprocess.run(pip, cwd=source, check=True)

    program = str(environment / "bin" / "solstis-ai")
    command = [program, *json.loads(all_of("CMD")[0])]
    command[command.index("--port") + 1] = "0"
    with subprocess.Popen(
        [*command, "--web-port", "0"], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1].replace("0.0.0.0", "127.0.0.1")
        check = json.loads(all_of("HEALTHCHECK")[0].partition("CMD ")[2])
        health = subprocess.run([program, check[1], address], timeout=PATIENCE, check=False)
        process.terminate()
        assert process.wait(PATIENCE) == 0
    assert health.returncode == 0


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        unwanted = shutil.ignore_patterns("__pycache__", "*.so", "*.c")
        shutil.copytree(source, target, ignore=unwanted)
    else:
        shutil.copy(source, target)
