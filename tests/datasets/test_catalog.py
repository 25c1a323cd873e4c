"""The catalog of the papers' data sets, against the papers and against the files themselves."""

import io
import json
from dataclasses import replace
from urllib.error import URLError

import numpy as np
import pytest
from folder import needs_data, real_data

from twofold.cli import main
from twofold.datasets import entries, entry, find_dataset, read_dataset
from twofold.datasets.dataset_catalog import check, entries_of_paper, unavailable
from twofold.datasets.download import API, download
from twofold.errors import InputError

# Bouckaert & Frank (2004), Table 1: instances, attributes, classes.
TABLE_1 = """anneal 898 38 5, arrhythmia 452 280 13, audiology 226 69 24, autos 205 25 6,
balance-scale 625 4 3, breast-cancer 286 9 2, credit-rating 690 16 2, ecoli 336 8 8,
German credit 1000 20 2, glass 214 9 6, heart-statlog 270 13 2, hepatitis 155 19 2,
horse-colic 368 22 2, Hungarian heart disease 294 13 2, ionosphere 351 34 2, iris 150 4 3,
labor 57 16 2, lymphography 148 18 4, pima-diabetes 768 8 2, primary-tumor 339 17 21,
sonar 208 60 2, soybean 683 35 19, vehicle 846 18 4, vote 435 16 2, vowel 990 13 11,
Wisconsin breast cancer 699 9 2, zoo 101 16 7"""
# There the class (or a name) was counted as an attribute; every known copy has one less.
ONE_MORE = {"arrhythmia", "credit-rating", "ecoli"}

# Demšar (2006), footnote 2.
FOOTNOTE_2 = """adult, balance-scale, bands, breast cancer (haberman), breast cancer (lju),
breast cancer (wisc), car evaluation, contraceptive method choice, credit screening, dermatology,
ecoli, glass identification, hayes-roth, hepatitis, housing, imports-85, ionosphere, iris,
liver disorders, lung cancer, lymphography, mushrooms, pima indians diabetes, post-operative,
primary tumor, promoters, rheumatism, servo, shuttle landing, soybean, spambase, spect, spectf,
teaching assistant evaluation, tic tac toe, titanic, voting, waveform, wine recognition, yeast"""


def test_table_1_of_bouckaert_and_frank():
    printed = {}
    for line in TABLE_1.replace("\n", " ").split(", "):
        name, *shape = line.rsplit(None, 3)
        printed[name.strip()] = tuple(map(int, shape))
    ours = {
        candidate.papers["bouckaertfrank2004"]: candidate
        for candidate in entries_of_paper("bouckaertfrank2004")
    }
    assert set(ours) == set(printed)
    assert len(ours) == 27
    for name, (rows, attributes, classes) in printed.items():
        candidate = ours[name]
        assert (candidate.rows, candidate.classes) == (rows, classes)
        assert candidate.attributes == attributes - (name in ONE_MORE)


def test_footnote_2_of_demsar():
    printed = {name.strip() for name in FOOTNOTE_2.replace("\n", " ").split(", ")}
    assert len(printed) == 40
    ours = {candidate.papers["demsar2006"] for candidate in entries_of_paper("demsar2006")}
    gone = {
        candidate.papers["demsar2006"]
        for candidate in unavailable()
        if "demsar2006" in candidate.papers
    }
    assert gone == {"rheumatism"}
    assert ours | gone == printed
    assert len(entries_of_paper("demsar2006")) == 39


def test_dietterich():
    # Section 4: the Letter Recognition and Pima Indians Diabetes tasks; EXP6 is synthetic.
    assert [candidate.name for candidate in entries_of_paper("dietterich1998")] == [
        "pima",
        "letter",
    ]


def test_names_are_unique_and_files_match_digests():
    names = [candidate.name for candidate in entries()]
    assert len(set(names)) == len(names)
    for candidate in entries():
        assert len(candidate.files) == len(candidate.sha256)
        assert all(len(digest) == 16 for digest in candidate.sha256)


@needs_data
@pytest.mark.parametrize("candidate", entries(), ids=lambda candidate: candidate.name)
def test_every_entry_reads_with_its_shape(candidate):
    data = find_dataset(candidate.name, real_data())  # raises where the shape differs
    assert data.name == candidate.name
    assert data.target == candidate.target
    assert check(candidate, real_data()).status == "found"
    assert candidate.classes == len(data.classes or ())


@needs_data
def test_every_file_reads_without_being_told_anything():
    files = [path for path in sorted(real_data().iterdir()) if path.suffix != ".md"]
    assert len(files) > 50
    for path in files:
        # Four cars in imports-85 have no price.
        data = read_dataset(path, drop_unlabelled=path.name == "imports-85.tab")
        assert data.rows > 20, path
        assert len(data.attributes) > 2, path


@needs_data
def test_traps_in_real_files():
    anneal = find_dataset("anneal", real_data())
    assert anneal.declared_classes == ("1", "2", "3", "4", "5", "U")
    assert anneal.classes == ("1", "2", "3", "5", "U")
    assert anneal.attributes[0].values[0] == "?"
    # zoo's names are left out by rule as well: 100 of 101 animals have a name of their own
    zoo = read_dataset(real_data() / "zoo.arff")
    assert "animal" not in [attribute.name for attribute in zoo.attributes]
    heart = find_dataset("heart-h", real_data())
    assert len(heart.classes) == 2
    assert len(heart.declared_classes) == 5


@needs_data
@pytest.mark.parametrize("name", ["glass", "ionosphere", "vowel", "vote", "labor", "credit-g"])
def test_cells_agree_with_scipy_where_scipy_can_read(name):
    from scipy.io.arff import loadarff

    data = find_dataset(name, real_data())
    rows, meta = loadarff(real_data() / entry(name).files[0])
    for index, attribute in enumerate(data.attributes):
        # By place: scipy keeps the quotes of one name in glass. The class comes last in these.
        name = meta.names()[index]
        theirs = rows[name]
        if attribute.values is None:
            np.testing.assert_array_equal(data.X[:, index], theirs)
            continue
        assert attribute.values == tuple(meta[name][1])
        ours = [
            b"?" if np.isnan(x) else attribute.values[int(x)].encode() for x in data.X[:, index]
        ]
        assert ours == theirs.tolist()
    assert [label.encode() for label in data.labels] == rows[meta.names()[-1]].tolist()


@needs_data
def test_scikit_learn_and_the_file_agree_on_iris_but_for_two_rows():
    file, bundled = find_dataset("iris", real_data()), read_dataset("iris")
    differ = (file.X != bundled.X).any(axis=1).nonzero()[0] + 1
    # UCI's rows 35 and 38 were corrected after Fisher's paper in scikit-learn's copy.
    assert differ.tolist() == [35, 38]


def small(*, rows=3):
    return replace(entry("iris"), name="small", sha256=("x",), rows=rows, attributes=1, classes=2)


ARFF = "@relation s\n@attribute x real\n@attribute class {a,b}\n@data\n1,a\n2,b\n3,a\n"


def test_a_folder_is_checked(tmp_path):
    assert check(small(), tmp_path).status == "missing"
    (tmp_path / "iris.arff").write_text(ARFF)
    assert check(small(), tmp_path).status == "other copy"
    state = check(small(rows=4), tmp_path)
    assert state.status == "differs"
    assert state.detail == "3 rows instead of 4"
    (tmp_path / "iris.arff").write_text("nonsense")
    assert check(small(), tmp_path).status == "differs"


def test_finding_needs_a_folder_a_file_and_the_right_shape(tmp_path, monkeypatch):
    monkeypatch.delenv("TWOFOLD_DATA", raising=False)
    with pytest.raises(InputError, match="TWOFOLD_DATA"):
        find_dataset("anneal")
    with pytest.raises(InputError, match="TWOFOLD_DATA"):
        read_dataset("anneal")
    with pytest.raises(InputError, match=r"anneal\.arff"):
        find_dataset("anneal", tmp_path)
    (tmp_path / "anneal.arff").write_text(ARFF)
    with pytest.raises(InputError, match="3 rows instead of 898"):
        find_dataset("anneal", tmp_path)
    monkeypatch.setenv("TWOFOLD_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="does not exist"):
        find_dataset("anneal")
    with pytest.raises(InputError, match="could not be found anywhere"):
        entry("rheumatism")
    with pytest.raises(InputError, match="Did you mean 'soybean'"):
        entry("soybeans")


def serve(pages):
    def opener(address):
        if address not in pages:
            raise URLError("no route to host")
        return io.BytesIO(pages[address])

    return opener


def description(address):
    return json.dumps({"data_set_description": {"url": address}}).encode()


def test_download(tmp_path):
    pages = {
        API.format(61): description("https://x/iris.arff"),
        "https://x/iris.arff": ARFF.encode(),
    }
    path = download(small(), tmp_path, opener=serve(pages))
    assert path.read_text() == ARFF
    assert [candidate.name for candidate in tmp_path.iterdir()] == ["iris.arff"]
    with pytest.raises(InputError, match="already"):
        download(small(), tmp_path, opener=serve(pages))


@pytest.mark.parametrize(
    ("pages", "words"),
    [
        ({}, "no route to host"),
        ({API.format(61): b"<html>"}, "no usable answer"),
        ({API.format(61): b"{}"}, "no usable answer"),
        ({API.format(61): description("file:///etc/passwd")}, "no usable answer"),
        (
            {API.format(61): description("https://x"), "https://x": ARFF.encode() + b"4,b\n"},
            "4 rows instead of 3",
        ),
        ({API.format(61): description("https://x"), "https://x": b"nonsense"}, "papers used"),
    ],
)
def test_downloads_that_fail_leave_nothing_behind(tmp_path, pages, words):
    with pytest.raises(InputError) as caught:
        download(small(), tmp_path, opener=serve(pages))
    assert words in caught.value.rule
    assert len(str(caught.value).splitlines()) == 2
    assert list(tmp_path.iterdir()) == []


def test_no_download_is_known_for_some(tmp_path):
    with pytest.raises(InputError, match="No download"):
        download(entry("adult"), tmp_path)


def test_command(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("TWOFOLD_DATA", raising=False)
    assert main(["data"]) == 0
    page = capsys.readouterr().out
    assert "rheumatism" in page
    assert max(map(len, page.splitlines())) <= 80
    assert main(["data", "--folder", str(tmp_path), "--format", "json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert len(facts) == len(entries())
    assert {candidate["status"] for candidate in facts} == {"missing"}
    assert main(["data", "zoo", "--folder", str(tmp_path)]) == 0
    page = capsys.readouterr().out
    assert "101 rows, 16 attributes, 7 classes" in page
    assert "missing: no zoo.arff" in page
    assert main(["data", "--download", "iris"]) == 2
    assert "TWOFOLD_DATA" in capsys.readouterr().err
    assert main(["data", "--folder", str(tmp_path / "no")]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 2
