"""Who made a result: commit, versions, learners."""

import subprocess

from twofold_papers.provenance import describe_learners, find_commit, find_versions


def git(folder, *words):
    author = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "-C", str(folder), *author, *words], check=True, capture_output=True)


def test_a_checkout_tells_its_commit_and_whether_files_changed(tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    git(tmp_path, "init")
    assert find_commit((package,)) is None
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "first")
    find_commit.cache_clear()
    result = find_commit((package,))
    assert len(result["id"]) == 40
    assert result["changed"] is False
    (tmp_path / "results.json").write_text("{}")
    find_commit.cache_clear()
    assert find_commit((package,))["changed"] is False
    (package / "__init__.py").write_text("x = 1")
    find_commit.cache_clear()
    assert find_commit((package,)) == {"id": result["id"], "changed": True}


def test_outside_of_a_checkout_there_is_no_commit(tmp_path):
    (tmp_path / "__init__.py").write_text("")
    assert find_commit((tmp_path,)) is None


def test_learners_are_noted_with_parameters_and_source():
    result = describe_learners(("c45", "nb"))
    assert "cf=0.25" in result["c45"]
    assert "source" in result["nb"]
    assert find_versions()["numpy"]
