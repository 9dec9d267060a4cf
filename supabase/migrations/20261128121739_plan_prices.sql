-- Prices by interval. Both tables hold a few rows, so that nobody waits for their locks.

drop trigger "plans__remember_price" on "public"."plans";

alter table "private"."plan_prices"
  add column "interval" text not null default 'month'::text;

alter table "private"."plan_prices"
  add column "amount_pence" integer;

alter table "private"."plan_prices"
  add column "currency" text;

alter table "private"."plan_prices"
  add column "active_from" timestamp with time zone not null default now();

alter table "private"."plan_prices"
  add column "retired_at" timestamp with time zone;

alter table "private"."plan_prices"
  add column "is_default" boolean not null default false;

alter table "public"."plans"
  add column "yearly_price_id" text;

alter table "public"."plans"
  add column "yearly_amount_pence" integer;

-- What is on sale has an amount; of what was on sale before, nobody kept it. The environment's prices stay the defaults.
update private.plan_prices o set amount_pence = p.amount_pence, currency = p.currency
from public.plans p where p.price_id = o.price_id;
update private.plan_prices o set retired_at = now() where o.amount_pence is null;
update private.plan_prices o set is_default = true from public.plans p where p.price_id = o.price_id;

alter table "private"."plan_prices"
  add constraint "plan_prices_amount_pence_check" check ((amount_pence > 0)) not valid;

alter table "private"."plan_prices"
  add constraint "plan_prices_currency_check" check ((currency ~ '^[A-Z]{3}$'::text)) not valid;

alter table "private"."plan_prices"
  add constraint "plan_prices_interval_check" check (("interval" = ANY (ARRAY['month'::text, 'year'::text]))) not valid;

alter table "private"."plan_prices"
  add constraint "plan_prices_on_sale_check" check (((retired_at IS NOT NULL) OR ((amount_pence IS
    NOT NULL) AND (currency IS NOT NULL)))) not valid;

alter table "public"."plans"
  add constraint "plans_yearly_amount_pence_check" check ((yearly_amount_pence > 0)) not valid;

alter table "public"."plans"
  add constraint "plans_yearly_check" check (((yearly_price_id IS NULL) = (yearly_amount_pence IS NULL))) not valid;

alter table "public"."plans"
  -- squawk-ignore constraint-missing-not-valid, disallowed-unique-constraint
  add constraint "plans_yearly_price_id_key" unique (yearly_price_id);

-- squawk-ignore require-concurrent-index-creation
create unique index plan_prices_one_on_sale on private.plan_prices using btree (plan_id, "interval")
  where (retired_at is null);

create trigger plans__remember_price
  after insert or update of price_id, amount_pence, currency, yearly_price_id, yearly_amount_pence on public.plans
  for each row
  execute function private.tg_plans__remember_price();

comment on column "private"."plan_prices"."active_from" is 'Since when the price is on sale.';

comment on column "private"."plan_prices"."amount_pence" is 'Price per interval in the smallest unit of the currency; null for a former price that was kept without it.';

comment on column "private"."plan_prices"."is_default" is 'The price that private.set_plan_price set last for its plan.';

comment on column "private"."plan_prices"."retired_at" is 'When it was taken off sale; null while it is on sale.';

comment on column "public"."plans"."price_id" is 'Monthly price on sale at the card provider: an administrator''s, or the one of private.set_plan_price.';

comment on column "public"."plans"."yearly_amount_pence" is 'What a year costs at it.';

comment on column "public"."plans"."yearly_price_id" is 'Yearly price on sale at the card provider; null while there is none.';

comment on table "private"."plan_prices" is 'Prices of the card provider by plan and interval, past and present. Rows are never deleted: members keep the price they have.';

revoke all ("yearly_amount_pence") on table "public"."plans" from "anon";

grant select ("yearly_amount_pence") on table "public"."plans" to "anon";

revoke all ("yearly_price_id") on table "public"."plans" from "anon";

grant select ("yearly_price_id") on table "public"."plans" to "anon";

revoke all ("yearly_amount_pence") on table "public"."plans" from "authenticated";

grant select ("yearly_amount_pence") on table "public"."plans" to "authenticated";

revoke all ("yearly_price_id") on table "public"."plans" from "authenticated";

grant select ("yearly_price_id") on table "public"."plans" to "authenticated";
