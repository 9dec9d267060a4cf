import { lazily } from "@/lib/lazily.ts";

/** Countries by their two letters. */
const codes =
  "AD AE AF AG AI AL AM AO AR AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CD CF CG CH CI CK CL CM CN CO CR CV CW CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FK FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GW GY HK HN HR HT HU ID IE IL IM IN IQ IS IT JE JM JO JP KE KG KH KI KM KN KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MK ML MM MN MO MQ MR MS MT MU MV MW MX MY MZ NA NC NE NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PS PT PY QA RE RO RS RW SA SB SC SE SG SH SI SK SL SM SN SO SR SS ST SV SX SZ TC TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VN VU WF WS XK YT ZA ZM ZW";

/** Countries as options, by name; the seller's own first. */
export const countryOptions = lazily(() => {
  const names = new Intl.DisplayNames("en-GB", { type: "region" });
  return codes
    .split(" ")
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((a, b) =>
      a.value === "GB" ? -1 : b.value === "GB" ? 1 : a.label.localeCompare(b.label, "en-GB"),
    );
});
