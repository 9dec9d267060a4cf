import { useSave } from "@/lib/use-save.ts";
import { toast } from "@/ui/toast.tsx";
import { describeSaveError } from "./strings.ts";

/** Saves a change of rooms, subcategories, articles and courses. */
export const useSaveContent = () =>
  useSave({ describeError: describeSaveError, onSaved: toast.good });
