import { useSave } from "@/lib/use-save.ts";
import { toast } from "@/ui/toast.tsx";
import { describeSettingError } from "./strings.ts";

/** Saves a setting. */
export const useSaveSetting = () =>
  useSave({ describeError: describeSettingError, onSaved: toast.good });
