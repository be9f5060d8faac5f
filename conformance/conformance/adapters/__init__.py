"""What is tested. A module has `VERSION`, for the head of the column, None where it is not installed; `MOST`, the cases that it is
asked at most where each takes milliseconds; and `answers(cases)`: for each the text of a value, `refused`, `crashed`, or `-` where
it has no such operation."""
