import { useState } from "react";
import { setVat, useVatSetting, vatModes, type VatSetting } from "@/features/legal/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { useSaveSetting } from "../mutations.ts";
import { vatSettingsStrings } from "../strings.ts";

/** Whether prices include VAT, and at which rate. */
export function VatForm() {
  const { data, isError, isFetching, refetch } = useVatSetting();
  if (data !== undefined) return <Fields key={JSON.stringify(data)} setting={data} />;
  return isError ? (
    <LoadFailed
      title={vatSettingsStrings.loadFailed}
      busy={isFetching}
      onRetry={() => void refetch()}
    />
  ) : (
    <Loading label={vatSettingsStrings.loading}>
      <Skeleton className="h-40" />
    </Loading>
  );
}

/** Per cent as typed, in hundredths; null for what is no rate. */
function toBasisPoints(typed: string): number | null {
  if (!/^\d{1,2}(?:\.\d{1,2})?$/.test(typed.trim())) return null;
  const rate = Math.round(Number(typed) * 100);
  return rate >= 1 && rate <= 5000 ? rate : null;
}

function Fields({ setting }: { readonly setting: VatSetting }) {
  const { busy, issue, save } = useSaveSetting();
  const [mode, setMode] = useState(setting.mode);
  const [rate, setRate] = useState(String(setting.rateBasisPoints / 100));
  const [wrong, setWrong] = useState(false);

  async function submit() {
    const rateBasisPoints = toBasisPoints(rate);
    setWrong(rateBasisPoints === null);
    if (rateBasisPoints === null) return;
    await save(
      async (client) => await setVat(client, { mode, rateBasisPoints }),
      vatSettingsStrings.saved,
    );
  }

  return (
    <form
      className="grid max-w-reading gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <SelectField
        label={vatSettingsStrings.mode}
        hint={vatSettingsStrings.hints[mode]}
        value={mode}
        options={vatModes.map((each) => ({ value: each, label: vatSettingsStrings.modes[each] }))}
        onChange={({ target }) =>
          setMode(vatModes.find((each) => each === target.value) ?? setting.mode)
        }
      />
      {mode === "none" ? null : (
        <TextField
          label={vatSettingsStrings.rate}
          hint={mode === "stripe_tax" ? vatSettingsStrings.rateOfCourses : undefined}
          error={wrong ? vatSettingsStrings.rateWrong : undefined}
          inputMode="decimal"
          value={rate}
          onChange={({ target }) => setRate(target.value)}
        />
      )}
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <div>
        <Button type="submit" loading={busy}>
          {vatSettingsStrings.save}
        </Button>
      </div>
    </form>
  );
}
