export { describeInBell } from "../../../supabase/functions/_shared/product/describe-notification.ts";
