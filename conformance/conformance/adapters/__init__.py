"""What is tested. A module has `PACKAGE`, whose version heads the column, `MOST`, the cases that it is asked at most where each takes
milliseconds, and `answers(cases)`: for each the text of a value, `refused`, `crashed`, or `-` where it has no such operation."""
