"""Cases of CuTe's layout algebra, a judge that knows no algebra, and adapters for what implements it: see README.md."""
