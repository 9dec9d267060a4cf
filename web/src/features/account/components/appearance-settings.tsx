import { textSizes, themes } from "@/lib/appearance-choice.ts";
import { setAppearance, useAppearance } from "@/lib/appearance.ts";
import { SelectField } from "@/ui/select-field.tsx";
import { appearanceStrings } from "../strings.ts";

/** Colours and size of text in this browser; a choice shows at once. */
export function AppearanceSettings() {
  const { theme, textSize } = useAppearance();
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <SelectField
        label={appearanceStrings.theme}
        options={themes.map((value) => ({ value, label: appearanceStrings.themes[value] }))}
        value={theme}
        onChange={({ target }) => {
          const chosen = themes.find((value) => value === target.value);
          if (chosen !== undefined) setAppearance({ theme: chosen });
        }}
      />
      <SelectField
        label={appearanceStrings.textSize}
        options={textSizes.map((value) => ({ value, label: appearanceStrings.textSizes[value] }))}
        value={textSize}
        onChange={({ target }) => {
          const chosen = textSizes.find((value) => value === target.value);
          if (chosen !== undefined) setAppearance({ textSize: chosen });
        }}
      />
    </div>
  );
}
