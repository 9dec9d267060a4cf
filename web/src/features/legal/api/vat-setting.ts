import type { BackendClient } from "@/lib/backend-client.ts";
import { noVat, vatModes, type VatSetting } from "../model/vat-setting.ts";

/** Reads the VAT setting in force. Throws the database's error. */
export async function fetchVatSetting(client: BackendClient): Promise<VatSetting> {
  const { data, error } = await client
    .from("vat_settings")
    .select("mode, rate_basis_points")
    .order("id", { ascending: false })
    .limit(1);
  if (error) throw error;
  const [row] = data;
  if (row === undefined) return noVat;
  const mode = vatModes.find((each) => each === row.mode) ?? "none";
  return { mode, rateBasisPoints: row.rate_basis_points };
}

/** Changes how VAT is charged from now on. Administrators only. Throws the database's error. */
export async function setVat(
  client: BackendClient,
  { mode, rateBasisPoints }: VatSetting,
): Promise<void> {
  const { error } = await client.rpc("set_vat", { mode, rate_basis_points: rateBasisPoints });
  if (error) throw error;
}
