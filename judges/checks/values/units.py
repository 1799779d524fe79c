"""Units as words and signs, each as a dimension and a whole factor to the base unit of that dimension.

Factors are whole numbers, so that a conversion never rounds. Only exact conversions are here: a month has no number
of days, and a mile no number of kilometres that a text would give in full.
"""

from typing import NamedTuple


class Unit(NamedTuple):
    """One reading of a unit: an amount counts ``amount * factor / divisor`` of the dimension's base unit."""

    dimension: str
    factor: int = 1
    divisor: int = 1


_TABLE: tuple[tuple[str, str, int, int], ...] = (
    # dimension, names parted by "|", factor, divisor
    ("duration", "millisecond|milliseconds|msec|ms", 1, 1),
    ("duration", "second|seconds|sec|secs|秒|秒間|秒钟", 1_000, 1),
    ("duration", "minute|minutes|min|mins|分|分間|分钟|分鐘", 60_000, 1),
    ("duration", "hour|hours|hr|hrs|h|時間|小时|小時", 3_600_000, 1),
    ("duration", "day|days|日間|天", 86_400_000, 1),
    ("duration", "night|nights", 86_400_000, 1),
    ("duration", "week|weeks|wk|wks|週間|周|週", 7 * 86_400_000, 1),
    ("duration", "fortnight|fortnights", 14 * 86_400_000, 1),
    ("months", "month|months|か月|ヶ月|カ月|ヵ月|ケ月|箇月|か月間|ヶ月間|カ月間|个月|個月", 1, 1),
    ("months", "year|years|yr|yrs|yo|y/o|年間|歳|才|岁", 12, 1),
    ("months", "decade|decades", 120, 1),
    ("months", "century|centuries", 1_200, 1),
    ("percent", "%|percent|percents|per cent|pct|pc|パーセント|pour cent|prozent|por ciento|per cento", 1, 1),
    ("percent", "‰|per mille|permille", 1, 10),
    ("points", "percentage point|percentage points|percent point|percent points|pp|ppt|ポイント", 1, 1),
    ("points", "basis point|basis points|bp|bps", 1, 100),
    ("metre", "nanometre|nanometres|nanometer|nanometers|nm", 1, 1),
    ("metre", "micrometre|micrometres|micrometer|micrometers|micron|microns|µm|μm", 10**3, 1),
    ("metre", "millimetre|millimetres|millimeter|millimeters|mm|ミリ", 10**6, 1),
    ("metre", "centimetre|centimetres|centimeter|centimeters|cm|cms|センチ|厘米", 10**7, 1),
    ("metre", "metre|metres|meter|meters|mtr|メートル", 10**9, 1),
    ("metre", "kilometre|kilometres|kilometer|kilometers|km|kms|キロメートル|公里", 10**12, 1),
    ("inch", "inch|inches", 1, 1),
    ("inch", "foot|feet|ft", 12, 1),
    ("inch", "yard|yards|yd|yds", 36, 1),
    ("inch", "mile|miles|mi", 63_360, 1),
    ("nautical mile", "nautical mile|nautical miles|nmi", 1, 1),
    ("gram", "nanogram|nanograms|ng", 1, 1),
    ("gram", "microgram|micrograms|µg|μg|mcg|ug", 10**3, 1),
    ("gram", "milligram|milligrams|mg", 10**6, 1),
    ("gram", "gram|grams|gramme|grammes|gm|gms|グラム|克", 10**9, 1),
    ("gram", "kilogram|kilograms|kilo|kilos|kg|kgs|キログラム|公斤", 10**12, 1),
    ("gram", "tonne|tonnes|metric ton|metric tons|トン", 10**15, 1),
    ("ton", "ton|tons", 1, 1),
    ("ounce", "ounce|ounces|oz", 1, 1),
    ("ounce", "pound weight|lb|lbs", 16, 1),
    ("ounce", "stone", 224, 1),
    ("litre", "millilitre|millilitres|milliliter|milliliters|ml", 1, 1),
    ("litre", "centilitre|centilitres|cl", 10, 1),
    ("litre", "litre|litres|liter|liters|ltr|リットル", 1_000, 1),
    ("gallon", "gallon|gallons|gal", 1, 1),
    ("pint", "pint|pints", 1, 1),
    ("square metre", "square metre|square metres|square meter|square meters|sq m|sqm|m2|m²|平方メートル", 1, 1),
    ("square metre", "hectare|hectares|ha", 10**4, 1),
    ("square metre", "square kilometre|square kilometres|square kilometer|square kilometers|sq km|km2|km²", 10**6, 1),
    ("square foot", "square foot|square feet|sq ft|sqft|ft2|ft²", 1, 1),
    ("square mile", "square mile|square miles|sq mi|sq miles", 1, 1),
    ("acre", "acre|acres", 1, 1),
    ("cubic metre", "cubic metre|cubic metres|cubic meter|cubic meters|m3|m³", 1, 1),
    ("celsius", "°c|degrees celsius|degree celsius|degrees centigrade|degrees c|celsius|℃", 1, 1),
    ("fahrenheit", "°f|degrees fahrenheit|degree fahrenheit|degrees f|fahrenheit|℉", 1, 1),
    ("degree", "°|degree|degrees|deg", 1, 1),
    ("byte", "byte|bytes", 1, 1),
    ("byte", "kilobyte|kilobytes|kb", 10**3, 1),
    ("byte", "megabyte|megabytes|mb", 10**6, 1),
    ("byte", "gigabyte|gigabytes|gb", 10**9, 1),
    ("byte", "terabyte|terabytes|tb", 10**12, 1),
    ("bit per second", "kbps|kbit/s", 10**3, 1),
    ("bit per second", "mbps|mbit/s", 10**6, 1),
    ("bit per second", "gbps|gbit/s", 10**9, 1),
    ("hertz", "hertz|hz", 1, 1),
    ("hertz", "kilohertz|khz", 10**3, 1),
    ("hertz", "megahertz|mhz", 10**6, 1),
    ("hertz", "gigahertz|ghz", 10**9, 1),
    ("watt", "watt|watts", 1, 1),
    ("watt", "kilowatt|kilowatts|kw", 10**3, 1),
    ("watt", "megawatt|megawatts|mw", 10**6, 1),
    ("watt", "gigawatt|gigawatts|gw", 10**9, 1),
    ("watt hour", "watt hour|watt hours|wh", 1, 1),
    ("watt hour", "kilowatt hour|kilowatt hours|kilowatt-hour|kilowatt-hours|kwh", 10**3, 1),
    ("watt hour", "megawatt hour|megawatt hours|mwh", 10**6, 1),
    ("joule", "joule|joules", 1, 1),
    ("joule", "kilojoule|kilojoules|kj", 10**3, 1),
    ("calorie", "calorie|calories|kcal|kcals", 1, 1),
    ("volt", "volt|volts", 1, 1),
    ("amp hour", "mah", 1, 1),
    ("horsepower", "horsepower|hp|bhp", 1, 1),
    ("kilometre an hour", "km/h|kmh|kph|kilometres per hour|kilometers per hour|kilometres an hour", 1, 1),
    ("mile an hour", "mph|miles per hour|miles an hour", 1, 1),
    ("knot", "knot|knots", 1, 1),
    ("parts per million", "ppm|parts per million", 1_000, 1),
    ("parts per million", "ppb|parts per billion", 1, 1),
    ("pixel", "pixel|pixels|px", 1, 1),
    ("megapixel", "megapixel|megapixels|mp", 1, 1),
    ("decibel", "decibel|decibels|db", 1, 1),
    ("clock", "o'clock", 1, 1),
    # Money counts in hundredths. A dollar without a country may be anybody's.
    ("dollar", "dollar|dollars|buck|bucks|ドル|美元", 100, 1),
    ("dollar", "cent|cents|¢", 1, 1),
    ("usd", "usd|us dollar|us dollars|u.s. dollar|u.s. dollars|american dollars|米ドル", 100, 1),
    ("aud", "aud|australian dollar|australian dollars", 100, 1),
    ("cad", "cad|canadian dollar|canadian dollars", 100, 1),
    ("nzd", "nzd|new zealand dollar|new zealand dollars", 100, 1),
    ("hkd", "hkd|hong kong dollar|hong kong dollars", 100, 1),
    ("sgd", "sgd|singapore dollar|singapore dollars", 100, 1),
    ("gbp", "gbp|quid|pounds sterling|pound sterling|sterling|ポンド", 100, 1),
    ("gbp", "pence|penny|pennies", 1, 1),
    ("eur", "euro|euros|eur|€|ユーロ|欧元", 100, 1),
    ("jpy", "yen|jpy|円|日元", 100, 1),
    ("cny", "yuan|renminbi|rmb|cny|元", 100, 1),
    ("inr", "rupee|rupees|inr|ルピー", 100, 1),
    ("chf", "swiss franc|swiss francs|franc|francs|chf", 100, 1),
    ("krw", "krw|ウォン", 100, 1),
    ("rub", "rouble|roubles|ruble|rubles|rub", 100, 1),
    ("sek", "sek|krona|kronor", 100, 1),
    ("nok", "nok", 100, 1),
    ("dkk", "dkk", 100, 1),
    ("pln", "pln|zloty", 100, 1),
    ("brl", "brl|reais", 100, 1),
    ("zar", "zar|rand", 100, 1),
)

UNITS: dict[str, tuple[Unit, ...]] = {
    name: (Unit(dimension, factor, divisor),)
    for dimension, names, factor, divisor in _TABLE
    for name in names.split("|")
}
# Words that stand for two things: both readings are offered, and either is accepted.
UNITS["pound"] = UNITS["pounds"] = (Unit("gbp", 100), Unit("ounce", 16))
UNITS["kr"] = (Unit("sek", 100), Unit("nok", 100), Unit("dkk", 100))
# Letters that are a unit only when they cling to the figure, as in 5m or 30s.
ATTACHED_UNITS: dict[str, tuple[Unit, ...]] = {
    **UNITS,
    "m": (Unit("metre", 10**9), Unit("duration", 60_000)),
    "g": (Unit("gram", 10**9),),
    "l": (Unit("litre", 1_000),),
    "s": (Unit("duration", 1_000),),
    "d": (Unit("duration", 86_400_000),),
    "w": (Unit("watt", 1),),
    "v": (Unit("volt", 1),),
    "t": (Unit("gram", 10**15), Unit("ton", 1)),
    "c": (Unit("celsius", 1),),
    "f": (Unit("fahrenheit", 1),),
    "p": (Unit("gbp", 1),),
    "in": (Unit("inch", 1),),
    "mb": (Unit("byte", 10**6),),
}
# These also stand apart from their figure, as in "5 m".
for _letter in ("m", "g"):
    UNITS.setdefault(_letter, ATTACHED_UNITS[_letter])

MULTIPLIERS: dict[str, int] = {
    "k": 10**3,
    "m": 10**6,
    "mm": 10**6,
    "mn": 10**6,
    "mln": 10**6,
    "mio": 10**6,
    "mil": 10**6,
    "b": 10**9,
    "bn": 10**9,
    "bln": 10**9,
    "mrd": 10**9,
    "t": 10**12,
    "tn": 10**12,
    "trn": 10**12,
}
MULTIPLIER_WORDS: dict[str, int] = {
    "hundred": 100,
    "thousand": 10**3,
    "lakh": 10**5,
    "lakhs": 10**5,
    "million": 10**6,
    "millions": 10**6,
    "crore": 10**7,
    "crores": 10**7,
    "billion": 10**9,
    "billions": 10**9,
    "trillion": 10**12,
    "mln": 10**6,
    "mio": 10**6,
    "bn": 10**9,
    "mrd": 10**9,
    "dozen": 12,
    "millionen": 10**6,
    "milliarden": 10**9,
    "millones": 10**6,
    "milliards": 10**9,
    "万": 10**4,
    "億": 10**8,
    "亿": 10**8,
    "兆": 10**12,
    "千": 10**3,
}

CURRENCY_SIGNS: dict[str, str] = {
    "$": "dollar",
    "€": "eur",
    "£": "gbp",
    "¥": "jpy",
    "₹": "inr",
    "₩": "krw",
    "₽": "rub",
    "₺": "try",
    "₪": "ils",
    "¢": "cent",
}
# Letters before a dollar sign, and codes before the figure.
DOLLARS: dict[str, str] = {
    "us": "usd",
    "u.s.": "usd",
    "a": "aud",
    "au": "aud",
    "c": "cad",
    "ca": "cad",
    "nz": "nzd",
    "hk": "hkd",
    "s": "sgd",
}
CURRENCY_CODES = frozenset(
    unit.dimension
    for name, units in UNITS.items()
    for unit in units
    if unit.dimension == name and len(name) == 3 and name.isalpha()
)
DOLLAR_CURRENCIES = frozenset({"usd", "aud", "cad", "nzd", "hkd", "sgd", "dollar"})
CURRENCIES = CURRENCY_CODES | {"dollar", "try", "ils"}

# Words that may stand between a figure and its unit without changing which unit it is.
QUALIFIERS = frozenset(
    """
    calendar working business consecutive full whole further additional extra more straight successive good solid
    odd long short paid american british metric euro
    """.split()  # noqa: SIM905
)


class Label(NamedTuple):
    """Words of one unit, any of which may be the head of a column of figures without a unit."""

    unit: Unit
    words: tuple[str, ...]


def _labels() -> dict[str, tuple[Label, ...]]:
    words: dict[Unit, list[str]] = {}
    for name, units in UNITS.items():
        if len(name) > 1 or not (name.isascii() and name.isalpha()):
            for unit in units:
                words.setdefault(unit, []).append(name)
    for sign, dimension in CURRENCY_SIGNS.items():
        words.setdefault(Unit(dimension, 100), []).append(sign)
    for currency in DOLLAR_CURRENCIES - {"dollar"}:
        words[Unit(currency, 100)].append("$")
        words[Unit("dollar", 100)].append(currency)
    words[Unit("months", 12)] += ["age", "aged"]
    labels: dict[str, tuple[Label, ...]] = {}
    for unit, names in words.items():
        labels[unit.dimension] = (*labels.get(unit.dimension, ()), Label(unit, tuple(names)))
    return labels


# By dimension: what lets a figure without a unit stand for a figure of that dimension.
LABELS = _labels()
