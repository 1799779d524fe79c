"""What a value of a claim is found in, and what it is not: one line a case, claim | source."""

_SAME = """
# grouping of thousands
1,250 | 1250
1250 | 1,250
1,250 customers | some 1250 clients
1 250 | 1,250
1'250 | 1250
1’250 | 1,250
1,250,000 | 1250000
1 250 000 | 1,250,000
1.250.000 | 1,250,000
1,00,000 | 100000
12,34,567 | 1234567
1.250,00 € | 1,250 euros
€1.250 | 1250 EUR
1.250,75 | 1,250.75
3,5 | 3.5
0,5 | 0.5
10 000 | 10,000
10,000.00 | 10000
3.50 | 3.5
007 | 7
.5 | 0.5
12345678901234567890 | 12,345,678,901,234,567,890
# lists, and figures at the edges of a sentence
30 | 14, 30 or 60
14 | 14,30,60
60 | 14,30,60.
30 | It is 30.
30 | (30)
30 | 30;40
30 | "30"
30 | 30/40
5 | 5-10
10 | 5-10
10 | 5–10
# multipliers
2.5 million | 2,500,000
2,500,000 | 2.5 million
2.5m people | 2.5 million people
5k | 5,000
5,000 | 5k
3bn | 3 billion
3 billion | 3,000,000,000
3,000,000,000 | 3bn
1.2 trillion | 1,200 billion
2 lakh | 200,000
1 crore | 10 million
2 dozen | 24
24 | two dozen
a dozen | 12
half a million | 500,000
500,000 | half a million
two and a half million | 2.5m people
a million | 1,000,000
1,000,000 | a million
a hundred | 100
a thousand | 1,000
3 hundred | 300
1.5 thousand | 1500
# number words
fifteen | 15
15 | fifteen
twenty-five | 25
25 | twenty five
two hundred and five | 205
205 | two hundred and five
one thousand two hundred | 1,200
three thousand | 3,000
ninety-nine | 99
one hundred thousand | 100,000
forty-two million | 42 million
seven | 7 of them
nineteen | 19
zero | 0
eleven hundred | 1,100
two and a half | 2.5
2½ | 2.5
1½ hours | 90 minutes
# percentages
15% | 15 per cent
15% | fifteen percent
15 % | 15%
15 per cent | 15%
15 percent | fifteen per cent
15 pct | 15%
15-percent | 15%
0.5% | 0.5 per cent
0,5 % | 0.5%
12.50% | 12.5%
15％ | 15%
１５％ | 15%
15パーセント | 15%
5‰ | 0.5%
50 basis points | 0.5 percentage points
25 bps | 25 basis points
10% | between 10 and 20%
20% | between 10 and 20%
10% | 10–20%
10% | 10 to 20 per cent
50% | half of them
half of the members | 50%
half of the members | half the members
a quarter of the sales | 25%
25% | a quarter of the sales
three quarters | 75%
two-thirds of voters | 67%
two thirds | 66.7%
one third | 33%
a third of users | 33.3%
¾ | 75%
three-fifths | 60%
one in ten | 1 in 10
-5% | −5%
-5% | -5 per cent
# money
$2.5m | 2.5 million dollars
2.5 million dollars | $2.5m
$2.5 million | $2,500,000
$5 | 5 dollars
$5 | US$5
$5 | A$5
US$5 | $5
US$5 | 5 US dollars
USD 5 | US$5
5 USD | $5.00
$ 5 | $5
$5.00 | $5
$1,250.50 | 1250.50 dollars
50 cents | $0.50
$0.50 | 50¢
50p | £0.50
£0.50 | 50 pence
£7m | 7 million pounds
£7 million | £7m
£7bn | £7 billion
€20 | 20 euros
€20 | 20 €
€20 | EUR 20
20 EUR | €20
20,50 € | €20.50
¥1,000 | 1000 yen
1000円 | ¥1,000
１，０００円 | 1,000 yen
1万円 | 10,000円
1万2000円 | 12,000 yen
1万2千円 | 12,000円
3億5千万円 | 350,000,000円
1億2000万人 | 120,000,000人
1億2000万3000円 | 120,003,000円
Rs 500 | ₹500
₹500 | 500 rupees
CHF 40 | 40 Swiss francs
$5 | $5-10
$10 | $5-10
$5 million | $5-10 million
$10 million | $5 to 10 million
$5 million | between $5 and $10 million
A$7 | AUD 7
C$7 | 7 Canadian dollars
£5 | £5-a-month
100 pounds | £100
# durations
two weeks | 14 days
14 days | two weeks
14 days | a 14-day window
14-day | fourteen days
30 working days | 30 business days
30 days | 30 calendar days
24 hours | 1 day
1 day | 24 hours
48 hours | two days
90 minutes | 1.5 hours
90 minutes | 1 hour 30 minutes
90 minutes | 1 hour and 30 minutes
1 hour 30 minutes | 90 minutes
1h 30min | 90 minutes
1 hour 30 minutes | 1 hour 30 minutes
a fortnight is two weeks | 14 days
24 months | two years
2 years | 24 months
18 months | 1.5 years
18-month | 18 months
one year and six months | 18 months
60 seconds | 1 minute
30s | 30 seconds
500 ms | 0.5 seconds
half an hour | 30 minutes
30 minutes | half an hour
5 mins | 5 minutes
2 hrs | 2 hours
6 wks | 6 weeks
10 yrs | 10 years
18 years old | aged 18
18-year-old | 18 years of age
14 days | 14, 30 or 60 days
30 days | 14, 30 or 60 days
5 days | 5-7 days
5 days | between five and seven days
5 days | 5 to 7 days
two to three weeks | 14 to 21 days
90 minutes | Runtime (minutes): 90
14 days | window days: 14
5年間 | 5 years
3か月 | three months
2週間 | 14 days
30日間 | 30 days
# measures
5 km | 5 kilometres
5km | 5 kilometers
5 km | 5,000 m
1.5 km | 1500 metres
180 cm | 1.8 m
1.8m | 180 cm
6 feet | 72 inches
6 feet 2 inches | 74 inches
6ft 2in | 6 feet 2 inches
3 miles | 3 mi
5 kg | 5,000 g
500 mg | 0.5 g
5 µg | 5 micrograms
2 tonnes | 2,000 kg
10 lb | 10 pounds
10 lbs | 160 oz
2 litres | 2,000 ml
2 l | 2l
20°C | 20 degrees Celsius
20 °C | 20°C
-5°C | −5 °C
minus 5 °C | -5°C
451°F | 451 degrees Fahrenheit
45 degrees | 45°
16 GB | 16GB
1 TB | 1,000 GB
3.2 GHz | 3200 MHz
60 mph | 60 miles per hour
100 km/h | 100 kilometres per hour
20 m² | 20 square metres
3 hectares | 30,000 square metres
5 kWh | 5,000 Wh
10 square miles | 10 sq mi
5キロメートル | 5 km
# dates
3 Jan 2026 | 2026-01-03
2026-01-03 | January 3rd, 2026
January 3rd, 2026 | 3 Jan 2026
January 3, 2026 | 3 January 2026
3 January 2026 | Jan. 3, 2026
3rd of January 2026 | 3.1.2026
3 January 2026 | 03/01/2026
3 January 2026 | 01/03/2026
03/01/2026 | 3 January 2026
2026/01/03 | 2026-01-03
2026.01.03 | 3 January 2026
03.01.2026 | January 3, 2026
3-Jan-2026 | 3 January 2026
3-Jan-26 | 3 January 2026
1/3/26 | January 3, 2026
3. Januar 2026 | 3 January 2026
3 janvier 2026 | 3 January 2026
3 de enero de 2026 | 2026-01-03
2026年1月3日 | 3 January 2026
3 January 2026 | 2026年1月3日
令和8年1月3日 | 2026-01-03
２０２６年１月３日 | 2026-01-03
3 January | 3 January 2026
January 3 | 2026-01-03
1月3日 | 2026年1月3日
January 2026 | 3 January 2026
January 2026 | 2026-01-03
Jan 2026 | January of 2026
2026 | 2026-01-03
2026 | January 2026
2026 | the year 2026
2026年 | in 2026
in January | 3 January 2026
in March | 2026-03-05
in May 2026 | 5 May 2026
May 5 | 5 May 2026
3 January | 3-5 January 2026
5 January | 3–5 January 2026
5 January 2026 | 3 to 5 January 2026
5 January 2026 | January 3-5, 2026
January 3 and 5 | 3 January and 5 January
3 January 2026 | Events of 2026. The fair opens on 3 January
2017 | 2016-17
2017 | 2016/17
2016 | 2016–17 season
1990s | the 1990s
the nineties | 1990s
the '90s | the 1990s
1990s | in 1994
19th century | 19th-century
19th century | nineteenth century
19th century | in 1887
20 December | December 20th
Sept 5, 2020 | 5 September 2020
5 Sept. 2020 | 2020-09-05
# times of day
5pm | 17:00
5 pm | 5:00 p.m.
5 p.m. | 5pm
17:00 | 5 pm
5:30pm | 17:30
5.30pm | 5:30 pm
17:30 | 5:30 pm
noon | 12 pm
midnight | 00:00
midnight | 12am
12:00 | noon
9am | 9 a.m.
9 am | from 9:00
5 o'clock | 5 pm
午後5時 | 17:00
17時30分 | 5:30 pm
# ordinals
3rd | third
third | 3rd
21st | twenty-first
twenty-first | 21st
101st | 101st
third | number 3
# references
3.11.4 | version 3.11.4
1.2.3.4 | 1.2.3.4
# other scripts
٣٠ | 30
30 | ٣٠
३० | 30
๓๐ | 30
３０ | 30
١٬٢٥٠ | 1,250
二人 | 2人
二十五人 | 25人
三千円 | 3,000円
1億人 | 100 million
# spaces
30 days | 30 days
1 250 | 1250
1 250 | 1250
15 % | 15%
$ 2.5 m | $2.5 million
# rounding that says it is one
about 1.2 million | 1,234,567
roughly 40% | 41.7%
nearly 3,000 | 2,987
more than 200 people | 213 people
around $5 million | $5.2 million
over 2 hours | 2 hours 10 minutes
less than 3 hours | 150 minutes
under 20 minutes | 15 minutes
# tokenised text
1,056 | 1, 056
102.5 kg | 102. 5 kg
"""

_OTHER = """
# whole values only
3 | 30
30 | 3
30 | 30,000
30 | 300
30 | 130
30 | 1.30
30 | 30.5
3 | 3.5
5 | 0.5
1,250 | 1,250,000
1,250 | 11,250
250 | 1,250
1 | 1,250
1250 | 12500
2.5 | 2.5 million
2 | 2.5
2.5 million | 2.5
2.5 million | 2.5 billion
5k | 5
30 | covid30
19 | covid19
5 | A5
3 | 3rd
11 | 3.11.4
3.11 | 3.11.4
3.11.4 | 3.11.5
12345678901234567890 | 12345678901234567891
# another number
15 | 16
1,250 | 1,520
1.25 | 1.52
fifteen | fifty
fifteen | 50
thirteen | thirty
twenty-five | twenty
twenty-five | five
25 | twenty and five
two hundred and five | 250
two hundred | two
a million | a billion
two dozen | 12
500,000 | half a billion
# percentages
15% | 15
15% | 1.5%
15% | 0.15%
15% | 50%
15% | 15 people
15% | 15 days
15 per cent | 15 cents
5% | 25%
5 percentage points | 5%
50 basis points | 50%
0.5% | 5%
half of them | 5%
two thirds | three quarters
a third of users | a quarter of users
half of the members | the second half
-5°C | 5°C
-5 | 5
# money
$2.5m | $2.5 billion
$2.5m | $2.5
$2.5 | $2.5m
$5 | £5
$5 | €5
$5 | 5
US$5 | A$5
US$5 | C$5
£7m | €7m
£7m | £7
£7m | £70m
50p | £50
50 cents | $50
€20 | 20%
€1.250,00 | €1.25
1,000 yen | 1,000 yuan
$5 | $5.50
$5 | $15
$5 | $5,000
$10 million | $10
# durations
two weeks | 12 days
14 days | 14 weeks
14 days | 14 hours
14 days | 14 months
14 days | 14 customers
30 days | one month
30 days | 14 days
30 days | 30 minutes
365 days | one year
52 weeks | one year
90 minutes | 90 seconds
90 minutes | 1 hour 20 minutes
1 hour 30 minutes | 1 hour 20 minutes
1 hour 30 minutes | 1 hour
24 months | 24 years
2 years | 12 months
1 day | 12 hours
half an hour | half a day
30 minutes | Runtime (hours): 30
18-month | 18-week
5 days | 25 days
5 days | 0.5 days
3か月 | 3週間
# measures
5 km | 5 miles
5 km | 5 m
5 km | 50 km
5 km | 500 m
5 kg | 5 lb
5 kg | 5 g
5 mg | 5 µg
6 feet 2 inches | 6 feet 4 inches
20°C | 20°F
16 GB | 16 TB
16 GB | 8 GB
60 mph | 60 km/h
2 litres | 2 ml
2 litres | 2 gallons
20 m² | 20 m
3 hectares | 3 acres
# dates
3 Jan 2026 | 2026-01-04
3 Jan 2026 | 3 Feb 2026
3 Jan 2026 | 3 Jan 2025
3 Jan 2026 | 13 Jan 2026
3 Jan 2026 | January 2026
3 Jan 2026 | 2026
3 Jan 2026 | 13/01/2026
13/02/2026 | 2 December 2026
January 3 | January 30
January 3 | 3 June
3 January | 5-8 January
January 2026 | January 2025
January 2026 | February 2026
January 2026 | 2026
2026 | 2025
2026 | 20,260
2026 | 12026
2026 | 2026.5
2017 | 2016-18
in March | 2026-04-05
in March | they march on
1990s | the 1980s
1990s | in 1989
19th century | in 1923
19th century | 18th century
31 December 2026 | 30 December 2026
2026年1月3日 | 2026年1月4日
令和8年 | 2025年
29 February 2024 | 28 February 2024
# times of day
5pm | 5am
5pm | 5:30 pm
5pm | 15:00
5pm | 17:30
17:00 | 5 am
noon | midnight
9:00 | 9:30
9:00 | 19:00
午後5時 | 午前5時
# ordinals
3rd | 4th
third | 13th
21st | 20th
third | thirteenth
3rd | 30th
third | 30
# other scripts
٣٠ | 31
３０ | ３００
二人 | 3人
二十五人 | 20人
三千円 | 3円
1億人 | 1万人
1万円 | 1,000円
1万2千円 | 10,002,000円
1万2千円 | 1万円
# rounding is not silent, and has its limits
1.2 million | 1,234,567
40% | 41.7%
3,000 | 2,987
about 1.2 million | 1,334,567
about 40% | 51%
about 40 days | 41.5 weeks
over 2 hours | 10 hours
over 2 hours | 1 hour
less than 3 hours | 4 hours
more than 200 people | 350 people
"""


def _cases(table: str) -> list[tuple[str, str]]:
    lines = [line for line in table.strip().splitlines() if line and not line.startswith("#")]
    pairs = [line.split(" | ") for line in lines]
    return [(claim, source) for claim, source in pairs]


FOUND = _cases(_SAME)
NOT_FOUND = _cases(_OTHER)
