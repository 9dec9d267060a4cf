import { useState } from "react";
import {
  setBusinessDetails,
  useBusinessDetails,
  type BusinessDetails,
} from "@/features/legal/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import { useSaveSetting } from "../mutations.ts";
import { legalSettingsStrings } from "../strings.ts";

/** The seller's name, address and numbers. An empty field is not said anywhere. */
export function BusinessForm() {
  const { data, isError, isFetching, refetch } = useBusinessDetails();
  if (data === undefined) {
    return isError ? (
      <LoadFailed
        title={legalSettingsStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <Loading label={legalSettingsStrings.loading}>
        <Skeleton className="h-72" />
      </Loading>
    );
  }
  return <Fields key={JSON.stringify(data)} details={data} />;
}

function Fields({ details }: { readonly details: BusinessDetails }) {
  const { busy, issue, save } = useSaveSetting();
  const [typed, setTyped] = useState({
    legalName: details.legalName ?? "",
    address: details.address ?? "",
    companyNumber: details.companyNumber ?? "",
    vatNumber: details.vatNumber ?? "",
  });
  const field = (name: keyof BusinessDetails, maxLength: number) => ({
    label: legalSettingsStrings.fields[name],
    value: typed[name],
    maxLength,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setTyped((before) => ({ ...before, [name]: target.value })),
  });

  async function submit() {
    await save(
      async (client) => await setBusinessDetails(client, typed),
      legalSettingsStrings.businessSaved,
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
      <TextField {...field("legalName", 200)} autoComplete="organization" />
      <TextArea {...field("address", 500)} rows={4} />
      <TextField {...field("companyNumber", 40)} />
      <TextField {...field("vatNumber", 40)} />
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <div>
        <Button type="submit" loading={busy}>
          {legalSettingsStrings.saveBusiness}
        </Button>
      </div>
    </form>
  );
}
