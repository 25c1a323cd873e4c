"""CSV, TSV, ARFF and Orange files as they are found in the wild."""

import gzip

import numpy as np
import pytest

from twofold.datasets import read_dataset, read_datasets
from twofold.errors import InputError


def write(folder, name, text, *, encoding="utf-8"):
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def codes(dataset):
    return [note.code for note in dataset.notes]


def column(dataset, name):
    """The cells of a column as words and numbers, None where missing."""
    index = [attribute.name for attribute in dataset.attributes].index(name)
    values = dataset.attributes[index].values
    return [
        None if np.isnan(x) else float(x) if values is None else values[int(x)]
        for x in dataset.X[:, index]
    ]


CSV = "size,colour,class\n1.5,red,yes\n?,blue,no\n-2,NA,yes\n4,red,no\n"


def test_csv(tmp_path):
    data = read_dataset(write(tmp_path, "toy.csv", CSV))
    assert data.name == "toy"
    assert [attribute.name for attribute in data.attributes] == ["size", "colour"]
    assert column(data, "size") == [1.5, None, -2, 4]
    assert column(data, "colour") == ["red", "blue", None, "red"]
    assert data.classes == ("no", "yes")
    assert data.declared_classes is None
    assert data.labels.tolist() == ["yes", "no", "yes", "no"]
    assert codes(data) == ["target-found"]


@pytest.mark.parametrize(
    "text",
    [
        CSV.replace("\n", "\r\n"),
        CSV.replace("\n", "\r"),
        "\ufeff" + CSV,
        CSV.replace(",", "\t"),
        CSV.replace(",", ";"),
        CSV.replace(",", "|"),
        CSV.replace(",", " , ").replace(" , ", ", "),
        CSV.replace("red", '"red"').replace("size", '"size"'),
        CSV + "\n\n",
        CSV.replace("?", ""),
        CSV.replace("?", "null").replace("NA", ""),
        CSV.replace("?", "NaN"),
        CSV.replace(",", ";").replace("1.5", "1,5"),
    ],
)
def test_ways_of_writing_the_same_table(tmp_path, text):
    plain = read_dataset(write(tmp_path, "toy.csv", CSV))
    other = read_dataset(write(tmp_path, "other.csv", text))
    assert other.fingerprint == plain.fingerprint


def test_utf_16_and_latin_1(tmp_path):
    text = "größe,farbe,class\n1,grün,a\n2,rot,b\n3,grün,a\n4,rot,b\n"
    plain = read_dataset(write(tmp_path, "a.csv", text))
    assert read_dataset(write(tmp_path, "b.csv", text, encoding="utf-16")).fingerprint == (
        plain.fingerprint
    )
    guessed = read_dataset(write(tmp_path, "c.csv", text, encoding="latin-1"))
    assert guessed.fingerprint == plain.fingerprint
    assert "encoding-guessed" in codes(guessed)


def test_quoted_delimiters_and_line_ends_within_cells(tmp_path):
    text = 'a,b,class\n1,"x, ""y""",p\n2,"u\nv",q\n3,"x, ""y""",p\n4,"u\nv",q\n'
    data = read_dataset(write(tmp_path, "q.csv", text))
    assert column(data, "b") == ['x, "y"', "u\nv", 'x, "y"', "u\nv"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        # words above numbers
        ("a,b,y\n1,2,0\n2,3,1\n", ["a", "b", "y"]),
        # years as names, but a word above the last column
        ("2001,2002,y\n1,2,0\n2,3,1\n", ["2001", "2002", "y"]),
        # numbers all over
        ("1,2,0\n3,4,1\n5,6,0\n", None),
        # words without numbers: the first line comes again, so it is none
        ("x,u,p\ny,v,q\nx,v,p\n", None),
        # words without numbers that do not come again
        ("a,b,class\nx,u,p\ny,v,q\nx,v,p\n", ["a", "b", "class"]),
        # a missing value above numbers says nothing
        ("?,2,0\n3,4,1\n5,6,0\n", None),
        # columns parted by runs of spaces
        ("n1  0.58  0.61  MIT\nn2  0.43  0.67  MIT\nn3  0.43  0.67  CYT\n", None),
    ],
)
def test_header_by_rule(tmp_path, text, names):
    data = read_dataset(write(tmp_path, "h.csv", text), task="classification")
    names_read = [attribute.name for attribute in data.attributes] + [data.target]
    expected = names or [f"column{i}" for i in range(1, len(names_read) + 1)]
    assert names_read == expected
    assert ("header-missing" in codes(data)) == (names is None)


def test_target_by_name_before_place(tmp_path):
    path = write(tmp_path, "t.csv", "Label,a,b\np,1,2\nq,3,4\np,5,7\n")
    assert read_dataset(path).target == "Label"
    assert read_dataset(path, target="b", task="regression").y.tolist() == [2, 4, 7]
    with pytest.raises(InputError, match="Did you mean 'Label'") as caught:
        read_dataset(path, target="lable")
    assert len(str(caught.value).splitlines()) == 2


ARFF = r"""% a comment
@RELATION 'my data'

@attribute	'it''s'	NUMERIC
@attribute size integer [0,9]  % with a range
@Attribute 'a b' {'x, y', "it's", 'don\'t', z}
@attribute oil {'?', Y}
@attribute shape{round,square}
@ATTRIBUTE kind { a, b, never, c }
@DATA
"""


def arff(tmp_path, rows, header=None):
    header = ARFF.replace("'it''s'", "weight") if header is None else header
    return read_dataset(write(tmp_path, "x.arff", header + rows))


def test_arff_quotes_missing_values_and_comments(tmp_path):
    data = arff(
        tmp_path,
        "1, 2, 'x, y', '?', round, a\n"
        "% between\n\n"
        '?,3,"it\'s",?,square,b % behind\r\n'
        "1e3\t4\t'don\\'t'\tY\tround\tc\n"
        "-.5 5 z '?' square a\n",
    )
    assert column(data, "weight") == [1, None, 1000, -0.5]
    assert column(data, "size") == [2, 3, 4, 5]
    assert column(data, "a b") == ["x, y", "it's", "don't", "z"]
    assert column(data, "oil") == ["?", None, "Y", "?"]
    assert data.attributes[3].values == ("?", "Y")
    assert data.classes == ("a", "b", "c")
    assert data.declared_classes == ("a", "b", "never", "c")
    assert data.y.tolist() == [0, 1, 2, 0]
    assert data.target == "kind"


SPARSE = "@relation s\n@attribute n numeric\n@attribute c {u,v}\n@attribute class {no,yes}\n@data\n"


def test_arff_sparse_rows_and_weights(tmp_path):
    data = arff(tmp_path, "{0 3, 2 yes}\n{}\n{1 'v'}, {2.5}\n{0 ?,1 v}\n", SPARSE)
    assert column(data, "n") == [3, 0, 0, None]
    assert column(data, "c") == ["u", "u", "v", "v"]
    assert data.labels.tolist() == ["yes", "no", "no", "no"]
    assert "weights-ignored" in codes(data)


def test_arff_weight_of_a_plain_row(tmp_path):
    data = arff(tmp_path, "1,u,no,{3}\n2,v,yes\n3,v,no\n", SPARSE)
    assert column(data, "n") == [1, 2, 3]
    assert codes(data).count("weights-ignored") == 1


def test_arff_free_text(tmp_path):
    header = "@relation s\n@attribute t string\n@attribute n real\n@attribute class {a,b}\n@data\n"
    few = arff(tmp_path, "".join(f"w{i % 3},{i},{'ab'[i % 2]}\n" for i in range(30)), header)
    assert few.attributes[0].values == ("w0", "w1", "w2")
    many = arff(tmp_path, "".join(f"w{i % 20},{i},{'ab'[i % 2]}\n" for i in range(30)), header)
    assert [attribute.name for attribute in many.attributes] == ["n"]
    assert "text-dropped" in codes(many)


@pytest.mark.parametrize(
    ("header", "rows", "words"),
    [
        ("@attribute d date 'yyyy'\n@attribute class {p,q}\n@data\n", "1,p\n2,q\n", "dates"),
        ("@attribute b relational\n@attribute x numeric\n@end b\n@data\n", "x\n", "relational"),
        ("@attribute b what\n@data\n", "x\n", "'what' is no type"),
        ("@attribute b\n@data\n", "x\n", "without a name or a type"),
        ("@attribute b {a,b\n@data\n", "x\n", "do not end"),
        ("@attribute b {a,a}\n@data\n", "x\n", "twice"),
        ("@attribute a numeric\n@attribute class {p,q}\n", "1,p\n", "is not @attribute or @data"),
        ("@attribute a numeric\n@attribute class {p,q}\n@data\n", "1,r\n", "'r' is not declared"),
        ("@attribute a numeric\n@attribute class {p,q}\n@data\n", "one,p\n", "'one' is no number"),
        ("@attribute a numeric\n@attribute class {p,q}\n@data\n", "1,p,q\n", "3 values where 2"),
        ("@attribute a numeric\n@attribute class {p,q}\n@data\n", ",p\n", "'' is no number"),
        ("@attribute a numeric\n@attribute class {p,q}\n@data\n", "{7 p}\n", "no sparse row"),
        ("@attribute a numeric\n@attribute class {p,q}\n@data\n", "", "no rows"),
        ("@attribute a numeric\n", "", "no @data"),
    ],
)
def test_arff_that_cannot_be_read(tmp_path, header, rows, words):
    with pytest.raises(InputError) as caught:
        arff(tmp_path, rows, "@relation r\n" + header)
    assert words in caught.value.rule
    assert len(str(caught.value).splitlines()) == 2


def test_orange_three_rows(tmp_path):
    text = (
        "y\tage\tcolour\tname\tnote\n"
        "d\tc\tred green\\ blue \ts\tstring\n"
        "class\t\t\tmeta\ti\n"
        "1\t4.5\tgreen blue\tann\t\n"
        "10\t?\tred\tbob\tx\n"
        "2\t6\t.\tcid\ty\n"
        "2\t7\tred\tdan\t\n"
    )
    data = read_dataset(write(tmp_path, "o.tab", text))
    assert data.classes == ("1", "2", "10")
    assert column(data, "age") == [4.5, None, 6, 7]
    assert data.attributes[1].values == ("red", "green blue")
    assert column(data, "colour") == ["green blue", "red", None, "red"]
    assert [attribute.name for attribute in data.attributes] == ["age", "colour"]
    assert codes(data) == ["marked-columns-dropped"]


def test_orange_one_row_of_prefixes(tmp_path):
    text = (
        "D#size\tC#age\tcD#y\tmS#name\tiC#row\nbig\t1\ta\tx\t1\nlow\t2\tb\tz\t2\nbig\t3\ta\tw\t3\n"
    )
    data = read_dataset(write(tmp_path, "p.tab", text))
    assert [(attribute.name, attribute.nominal) for attribute in data.attributes] == [
        ("size", True),
        ("age", False),
    ]
    assert data.target == "y"


def test_orange_without_a_flag_and_plain_tables(tmp_path):
    text = "a\tb\tselector\nc\tc\td\n\n1\t2\t1\n3\t4\t2\n5\t6\t2\n"
    data = read_dataset(write(tmp_path, "l.tab", text))
    assert (data.rows, data.target, data.classes) == (3, "selector", ("1", "2"))
    assert codes(data) == ["target-found"]
    plain = read_dataset(write(tmp_path, "m.tab", "a\tclass\n1\tx\n2\ty\n3\tx\n"))
    assert (plain.rows, plain.target) == (3, "class")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\ty\nt\td\n\tclass\n1\tx\n2\tz\n", "times"),
        ("a\ty\nc\td\n\tclass\nred\tx\n2\tz\n", "holds words"),
        ("a\ty\nc\td\nclass\tclass\n1\tx\n2\tz\n", "several classes"),
        ("a\ty\nc\td\n\tclass\n1\tx\n2\n", "line 5"),
        ("a\ty\nc\td\n\tclass\n", "no rows"),
        ("a\ty\nc\tp q\n\tclass\n1\tr\n2\tp\n", "does not declare"),
    ],
)
def test_orange_that_cannot_be_read(tmp_path, text, words):
    with pytest.raises(InputError) as caught:
        read_dataset(write(tmp_path, "bad.tab", text))
    assert words in caught.value.rule
    assert len(str(caught.value).splitlines()) == 2


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("e.csv", b"", "is empty"),
        ("e.arff", b" \n\n", "is empty"),
        ("b.csv", b"\x00\x01\x02PK", "not a text file"),
        ("h.csv", b"a,b\n", "no rows"),
        ("w.csv", b"a,b,class\n1,2,x\n1,2\n", "line 3: 2 cells where the first line has 3"),
        ("d.csv", b"a,a,class\n1,2,x\n3,4,y\n", "Two columns are called 'a'"),
        ("o.csv", b"a,class\n1,x\n2,x\n", "'x' in every row"),
        ("r.csv", b"a,y\n1,2.5\n2,2.5\n", "2.5 in every row"),
        ("n.csv", b"class\nx\ny\nx\n", "no attributes"),
        ("m.csv", b"a,class\n1,x\n2,\n3,y\n", "missing in 1 of 3 rows"),
        ("u.csv", b"a,class\n1,x\n2,y\n3,z\n", "its own class"),
        ("i.csv", b"a,class\n1,x\ninf,y\n3,x\n", "infinite number in row 2"),
        ("x.xlsx", b"PK", ".xlsx files are not read"),
        ("x.parquet", b"PAR?", "cannot be read"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, name, content, words):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_dataset(path)
    assert words in caught.value.rule
    assert len(str(caught.value).splitlines()) == 2


def test_a_file_that_is_not_there(tmp_path):
    write(tmp_path, "iris.csv", CSV)
    with pytest.raises(InputError, match=r"Did you mean '.*iris\.csv'"):
        read_dataset(str(tmp_path / "irs.csv"))
    with pytest.raises(InputError, match="folder"):
        read_dataset(tmp_path)
    with pytest.raises(InputError, match="Did you mean 'wine'"):
        read_dataset("whine")


def test_arff_quotes_of_both_kinds_and_percent_signs_within(tmp_path):
    text = (
        "@relation 'my data'\n@attribute 'a b' numeric % a comment\n"
        "@attribute \"c d\" {'x y', \"it's\", 'a,b', 'per%cent'} % another 'one'\n"
        "@attribute class {yes,'no way'}\n@data\n"
        "1,'x y',yes % the first\n2,\"it's\",'no way'\n3,'a,b',yes\n?,'per%cent','no way'\n"
    )
    data = read_dataset(write(tmp_path, "quotes.arff", text))
    assert column(data, "c d") == ["x y", "it's", "a,b", "per%cent"]
    assert column(data, "a b") == [1, 2, 3, None]
    assert list(data.labels) == ["yes", "no way", "yes", "no way"]


def test_arff_apostrophes_inside_bare_words(tmp_path):
    text = (
        "@relation rock'n'roll\n@attribute it's numeric\n"
        "@attribute say {it's, don't, 'a, b', 'tis}\n"
        "@attribute free string\n@attribute class {yes,no}\n@data\n"
    )
    rows = (
        "1,it's,rock'n'roll,yes\n2,don't,'a, b',no\n3,'a, b',it's that's,yes % it's\n"
        "4 'tis 'x y' no\n{0 5, 1 don't, 2 it's, 3 no}\n6,'it\\'s',\"it's\",yes\n"
    )
    data = read_dataset(write(tmp_path, "it's.arff", text + 2 * rows))
    assert column(data, "it's") == 2 * [1, 2, 3, 4, 5, 6]
    assert column(data, "say") == 2 * ["it's", "don't", "a, b", "'tis", "don't", "it's"]
    assert data.attributes[1].values == ("it's", "don't", "a, b", "'tis")
    free = ["rock'n'roll", "a, b", "it's that's", "x y", "it's", "it's"]
    assert column(data, "free") == 2 * free
    assert data.labels.tolist() == 2 * ["yes", "no", "yes", "no", "no", "yes"]


def numbers_and(*words):
    cells = [str(1.5 * i) for i in range(60)]
    cells[7 : 7 + len(words)] = words
    rows = "".join(f"{cell},{i % 5},{'xy'[i % 2]}\n" for i, cell in enumerate(cells))
    return f"a,b,class\n{rows}"


def test_a_word_among_numbers_is_told(tmp_path):
    data = read_dataset(write(tmp_path, "typo.csv", numbers_and("1l5", "oops")))
    warnings = [note for note in data.notes if note.code == "words-among-numbers"]
    assert [note.severity for note in warnings] == ["warning"]
    assert "'a'" in warnings[0].detail
    assert "'oops'" in warnings[0].detail
    assert "row 8" in warnings[0].detail


def test_words_that_are_no_mistake_are_not_told(tmp_path):
    for words in ((), ("NA", "?"), ("p", "q", "r", "s"), ("many",) * 20):
        data = read_dataset(write(tmp_path, "fine.csv", numbers_and(*words)))
        assert "words-among-numbers" not in codes(data)


def test_an_orange_basket_is_refused(tmp_path):
    text = "a\tb\nbasket\td\n\tclass\nx\ty\ny\tx\n"
    with pytest.raises(InputError, match="basket"):
        read_dataset(write(tmp_path, "basket.tab", text))


def test_a_column_of_groups_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="no column 'g' to take as groups"):
        read_dataset(write(tmp_path, "toy.csv", CSV), groups="g")


NASTY = {
    "empty.csv": "",
    "blank.csv": "\n \n\n",
    "header.csv": "a,b,class\n",
    "one.csv": "a,b,class\n1,2,x\n",
    "ragged.csv": "a,b,class\n1,2,x\n1,2\n",
    "infinite.csv": "a,class\n" + "1,x\ninf,y\n" * 5,
    "nothing.csv": "a,class\n" + "NaN,x\nNaN,y\n" * 5,
    "twice.csv": "a,a,class\n" + "1,2,x\n3,4,y\n" * 5,
    "unlabelled.csv": "a,class\n" + "1,x\n2,\n3,y\n" * 5,
    "date.arff": "@relation r\n@attribute d date\n@attribute class {x,y}\n@data\n2001-01-01,x\n",
    "words.arff": "@relation r\n@attribute a real\n@attribute class {x,y}\n@data\nmuch,x\n",
    "rows.arff": "@relation r\n@attribute a real\n@attribute class {x,y}\n@data\n",
    "sparse.arff": "@relation r\n@attribute a real\n@attribute class {x,y}\n@data\n{0 1, 7 x}\n",
    "time.tab": "t\tclass\ntime\td\n\tclass\n2001-01-01\tx\n2002-01-01\ty\n",
    "words.tab": "a\tclass\nc\td\n\tclass\nmuch\tx\n1\ty\n",
}


@pytest.mark.parametrize("name", NASTY)
def test_the_command_line_says_it_in_two_lines(tmp_path, capsys, name):
    from twofold.cli import main

    file = write(tmp_path, name, NASTY[name])
    command = ["run", "tree", "majority", "--data", str(file), "--design", "2x2"]
    assert main([*command, "--store", ":memory:", "--workers", "0"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert len(output.err.splitlines()) == 2


@pytest.mark.parametrize("suffix", [".csv", ".arff", ".tab"])
def test_packed_files_are_read_as_what_they_hold(tmp_path, suffix):
    text = {
        ".csv": "a,class\n1,p\n2,q\n3,p\n",
        ".arff": "@relation r\n@attribute a real\n@attribute class {p,q}\n@data\n1,p\n2,q\n3,p\n",
        ".tab": "a\tclass\nc\td\n\tclass\n1\tp\n2\tq\n3\tp\n",
    }[suffix]
    (tmp_path / f"rows{suffix}").write_text(text)
    packed = tmp_path / f"rows{suffix}.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    plain, again = read_dataset(tmp_path / f"rows{suffix}"), read_dataset(packed)
    assert (again.name, again.fingerprint) == ("rows", plain.fingerprint)
    assert [data.name for data in read_datasets(tmp_path)] == [f"rows{suffix}", f"rows{suffix}.gz"]
    (tmp_path / "rows.parquet.gz").write_bytes(b"")
    with pytest.raises(InputError, match=r"\.parquet\.gz files are not read"):
        read_dataset(tmp_path / "rows.parquet.gz")
