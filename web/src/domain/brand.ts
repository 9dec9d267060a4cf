export {
  brand,
  formatPence,
  formatPenceInFull,
} from "../../../supabase/functions/_shared/product/brand.ts";
