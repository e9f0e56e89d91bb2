import unittest


class Prices(unittest.TestCase):
    def test_with_tax(self):
        self.assertEqual(round(100 * 1.19, 2), 119)

    def test_discount(self):
        self.assertEqual(100 - 100 * 0.1, 91, "a tenth off")
