import pytest

from bonmun.errors import InputError
from bonmun.training.measuring import Info
from bonmun.training.partition import partition


def page(number, domain, group=None, kind="news"):
    return Info(str(number), "corpus", domain, group, "en", kind)


def test_a_site_and_a_template_stay_in_one_fold():
    pages = [page(n, f"site{n % 30}.org", f"template{n % 30 % 7}" if n % 30 < 14 else None) for n in range(120)]
    folds = partition(pages, 5, 0)
    for key in ("domain", "group"):
        folds_of = {}
        for info, fold in zip(pages, folds, strict=True):
            if getattr(info, key):
                folds_of.setdefault(getattr(info, key), set()).add(fold)
        assert all(len(own_folds) == 1 for own_folds in folds_of.values())


def test_two_templates_on_one_site_go_together():
    pages = [page(0, "a.org", "x"), page(1, "a.org", "y"), page(2, "b.org", "y"), page(3, "c.org"), page(4, "d.org")]
    folds = partition(pages, 2, 0)
    assert folds[0] == folds[1] == folds[2]


def test_every_fold_has_its_share_of_each_type():
    pages = [page(n, f"site{n}.org", kind="news" if n % 5 else "forum") for n in range(100)]
    folds = partition(pages, 5, 0)
    assert [sum(f == k and not n % 5 for n, f in enumerate(folds)) for k in range(5)] == [4] * 5


def test_another_seed_is_another_partition():
    pages = [page(n, f"site{n}.org") for n in range(100)]
    assert partition(pages, 5, 0) != partition(pages, 5, 1)


def test_more_folds_than_sites_are_refused():
    with pytest.raises(InputError, match="5 folds need pages of as many sites; there are 1"):
        partition([page(n, "a.org") for n in range(50)], 5, 0)
