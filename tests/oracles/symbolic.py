"""What pydrake 1.51 writes for expressions: tests/oracles/symbolic.txt.

Each row is code that is C++ and Python alike, a tab, and the text of its value.
tests/systems/symbolic/oracle_test.cc has the same code.

  python3 tests/oracles/symbolic.py > tests/oracles/symbolic.txt
"""

from pydrake import symbolic
from pydrake.symbolic import *  # noqa: F401,F403

x, y, z = (Variable(name) for name in "xyz")
b = Variable("b", Variable.Type.BOOLEAN)


def Variables(those):
    return symbolic.Variables(list(those))


conj, disj, neg = logical_and, logical_or, logical_not

ROWS = """
x + y; y + x; x + 1; 1 + x; x + x; 2 * x + 3 * x; x - x; x - y; y - x
-x; -(x + y); -(2 * x * y); x + y - x; 2 * (x + y); (x + y) * 2; -1 * (x + y)
0 * x; x * 0; 0 * log(x); 0 / x; x * y; y * x; x * x; x * x * x; 2 * x * 3 * y
x * y * x; pow(x, 2) * pow(x, 3); pow(x, -1) * x; x / x; x / y; x / 1; x / 2
2 / x; (2 * x) / 2; (2 * x * y) / 4; (x * y) / x; (x + y) / 2
(2 * x) / (4 * y); pow(x, 2) / x; x * (1 / x); 1 / x; 1 / (1 / x)
(x / y) / z; x / (y / z); (x / y) * y; (x / y) * z; 3 * (x / y); -(x / y)
y * (1 / x); -(1 / x); 2 * (1 / x); x + 1 / x; (1 / x) * (1 / y)
(x / y) * (1 / x); (1 / x) * 2 * y; (1 / x) + (1 / x); x / y + x / y
pow(x, 1); pow(x, 2); pow(x, 0.5); pow(pow(x, 2), 3); pow(2 * x, 2)
pow(x * y, 2); pow(x + y, 2); pow(2, x); pow(0, x); pow(1, x); pow(x, -2)
pow(x * y, 0.5); pow(x * y, z); pow(-x, 2); pow(2 * x * y, 3); pow(x, y)
sqrt(x); sqrt(x * x); sqrt(pow(x, 2)); sqrt(pow(x, 4)); sqrt(pow(x, 3))
sqrt(x) * sqrt(x); pow(sqrt(x), 2); abs(x); abs(-x); abs(abs(x)); abs(2 * x)
abs(x) * abs(x); pow(abs(x), 2); abs(x * x); exp(x); log(exp(x)); exp(log(x))
log(x); log(x * y); exp(x) * exp(y); log(x) + log(y); log(pow(x, 2))
sin(x); sin(-x); cos(-x); cos(x); tan(x); asin(x); acos(x); atan(x)
atan2(y, x); sinh(x); cosh(x); tanh(x); min(x, y); max(x, y); min(x, x)
max(x, x); ceil(x); floor(x); pow(sin(x), 2) + pow(cos(x), 2)
if_then_else(x > y, x, y); if_then_else(x > x, x, y)
x > y; x >= y; x < y; x <= y; x == y; x != y; x == x; x != x; x < x; x <= x
x > x; x >= x; x + 1 > x; x - y > 0; 2 * x > 2 * y; x > 1
conj(x > 0, y > 0); disj(x > 0, y > 0); neg(x > 0); neg(x == 0); neg(x >= 0)
neg(neg(x > 0)); conj(x > 0, x > 0); conj(x > 0, neg(x > 0))
conj(conj(x > 0, y > 0), z > 0); disj(conj(x > 0, y > 0), z > 0)
neg(conj(x > 0, y > 0)); conj(x > 0, Formula(b)); neg(Formula(b))
forall(Variables({x}), x > y); isnan(x + y); neg(isnan(x + y))
x + 2 * y + 3; 2 * x * y + 3 * x * x + sin(x) + 1; x * sin(x); sin(x) * x
sin(x) + x; cos(x) * sin(x); 2 * sin(x) * cos(y) * x; x - 2 * y; -2 * x + y
-x - y; -3 - x; 1.5 * x; 1e10 * x; 1e20 * x; 1e-10 * x; x + 0.1; -x * y
x * -y; 1e5 * x + 123456789; pow(x, 2) * y * 3; pow(x, -y); pow(x + y, z)
(x + y) * (x - y); (x + y) * (x + y); (x + y) * (y + x) * z; x / (x + y)
(x + 1) / (y + 1); -(x + 1) / (y + 1); 2 * (x / y) + z; (x * y) + (y * x)
3 * (2 * x + 1); x * (2 * x + 1); -(2 * x + 1); (2 * x + 4 * y) / 2
(x + y) - (x + y); (x + y) - x; 2 * x - x; x * y - y * x; -pow(x, 2)
-sin(x); -1 * x * y; -(-x)
((x + y) * (x + y)).Expand(); pow(x + 1, 3).Expand(); (x * (y + z)).Expand()
pow(x + y, -2).Expand(); ((x + y) * sin(x * (y + 1))).Expand()
((x + y) / z).Expand(); (2 * (x + y)).Expand(); pow(x * (y + 1), 2).Expand()
((x + y) / 2).Expand(); ((x + y) / (z * (x + 1))).Expand()
sin((x + y) * z).Expand(); pow(2 * x * y, 3).Expand(); (x * y / 2).Expand()
pow(x + y, z + 1).Expand()
(x * x).Differentiate(x); sin(x).Differentiate(x); pow(x, y).Differentiate(x)
pow(x, y).Differentiate(y); (x / y).Differentiate(y); abs(x).Differentiate(x)
sqrt(x).Differentiate(x); min(x, y).Differentiate(x)
max(x, y).Differentiate(y); atan2(y, x).Differentiate(x)
floor(x).Differentiate(x); if_then_else(x > y, x * x, y).Differentiate(x)
log(x).Differentiate(x); tan(x).Differentiate(x); asin(x).Differentiate(x)
acos(x).Differentiate(x); atan(x).Differentiate(x); sinh(x).Differentiate(x)
tanh(x).Differentiate(x); exp(2 * x).Differentiate(x); ceil(x).Differentiate(y)
pow(sin(x), 3).Differentiate(x); (x * y * sin(x)).Differentiate(x)
cos(x * y).Differentiate(x)
(x * sin(y)).Substitute(y, x + z)
"""

for line in ROWS.strip().splitlines():
    for code in line.split("; "):
        print(code, eval(code).to_string(), sep="\t")
