export { brand, formatPence } from "../../../supabase/functions/_shared/product/brand.ts";
