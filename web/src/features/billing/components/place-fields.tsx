import { SelectField } from "@/ui/select-field.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { countryOptions } from "../strings/countries.ts";
import { placeStrings } from "../strings/vat.ts";

export interface Place {
  /** Two letters. */
  readonly country: string;
  readonly postcode: string;
}

/** Where the member lives, on which the rate of the VAT depends. */
export function PlaceFields({
  place,
  disabled,
  onChange,
}: {
  readonly place: Place;
  readonly disabled: boolean;
  readonly onChange: (place: Place) => void;
}) {
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2" disabled={disabled}>
      <SelectField
        label={placeStrings.country}
        hint={placeStrings.why}
        placeholder={placeStrings.choose}
        autoComplete="country"
        options={countryOptions()}
        value={place.country}
        onChange={({ target }) => onChange({ ...place, country: target.value })}
      />
      <TextField
        label={placeStrings.postcode}
        autoComplete="postal-code"
        maxLength={20}
        value={place.postcode}
        onChange={({ target }) => onChange({ ...place, postcode: target.value })}
      />
    </fieldset>
  );
}
