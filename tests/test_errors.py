import pickle

from twofold import InputError, TwofoldError


def test_two_lines_that_survive_a_worker():
    error = InputError("The rule.", "The remedy.")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == "The rule.\nThe remedy."
    assert (again.rule, again.remedy) == ("The rule.", "The remedy.")
    assert isinstance(again, TwofoldError)
    assert isinstance(again, ValueError)
