"""Pictures: what may be chosen, and what is refused because it would do nothing."""

import pytest

from tilework import draw


@pytest.mark.parametrize("color_by", [None, "offset", "row", "column", "none"])
def test_colours_change_no_number(color_by):
    assert str(draw("Sw<2,0,2> o 0 o (4,4):(4,1)", color_by=color_by)) == str(draw("Sw<2,0,2> o 0 o (4,4):(4,1)"))


def test_colours_stand_for_what_is_asked():
    swizzled = "Sw<2,0,2> o 0 o (4,4):(4,1)"
    pictures = {draw(swizzled, color_by=by).svg() for by in ["offset", "row", "column", "none"]}
    assert len(pictures) == 4
    assert draw(swizzled, color_by="bank", element_bits=16).svg() not in pictures


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"color_by": "size"}, "there are offset, row, column, thread, bank, tile, none"),
        ({"color_by": "bank"}, "give their bits"),
        ({"color_by": "thread"}, "aspects threads and values"),
        ({"color_by": "tile"}, "no mode is nested"),
        ({"element_bits": 16}, 'aspect="banks" or color_by="bank"'),
        ({"tile": (2, 2)}, 'aspect="threads"'),
        ({"element": 1}, 'aspect="operation"'),
    ],
)
def test_what_would_do_nothing_is_refused(arguments, sentence):
    with pytest.raises(ValueError) as refused:
        draw("(4,8):(8,1)", **arguments)
    assert sentence in str(refused.value)


def test_a_pdf_is_one(tmp_path):
    picture = draw("(4,8):(8,1)")
    assert picture.pdf().startswith(b"%PDF-1.4\n")
    assert picture.save(tmp_path / "a.pdf").read_bytes() == picture.pdf()
