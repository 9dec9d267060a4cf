-- The database after the last migration, for reading. Written by `npm run gen`; change the migrations instead.
-- Everything stands below the name of the migration that first creates it. Every object revokes all privileges before
-- the grants shown with it; the platform's own objects, roles, extensions and rows of tables are left out.

-- foundations

create schema private;
comment on schema private is 'Rules and server-only data. Not exposed by the API; callers reach it through policies, triggers and wrappers.';
grant usage on schema private to authenticated;
grant usage on schema private to service_role;

CREATE OR REPLACE FUNCTION private.is_outside_caller()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select current_user in ('anon', 'authenticated')
$function$;
comment on function private.is_outside_caller() is 'True while a statement runs as an API role; false inside a SECURITY DEFINER function and for the server role.';
grant execute on function private.is_outside_caller() to authenticated;
grant execute on function private.is_outside_caller() to service_role;

CREATE OR REPLACE FUNCTION private.fail(code text, message text, detail text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if detail is null then
    raise exception using errcode = code, message = message;
  end if;
  raise exception using errcode = code, message = message, detail = detail;
end
$function$;
comment on function private.fail(text,text,text) is 'Raises an error whose SQLSTATE is one of the codes in docs/error-codes.md.';
grant execute on function private.fail(text,text,text) to authenticated;

CREATE OR REPLACE FUNCTION private.require_caller()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  caller uuid := auth.uid();
begin
  if caller is null then
    perform private.fail('FF001', 'Please sign in first.');
  end if;
  return caller;
end
$function$;
comment on function private.require_caller() is 'The calling account; raises FF001 without one.';
grant execute on function private.require_caller() to authenticated;

create table private.audit_log (
  id bigint generated always as identity not null,
  happened_at timestamp with time zone default now() not null,
  actor uuid,
  action text not null,
  subject uuid,
  detail jsonb default '{}'::jsonb not null,
  constraint audit_log_pkey PRIMARY KEY (id)
);
comment on table private.audit_log is 'Decisions made about accounts, oldest first; rows are only ever added.';
comment on column private.audit_log.actor is 'Account that acted; null for the operator, a scheduled function, or a deleted account.';
comment on column private.audit_log.subject is 'Account the entry is about. Has no foreign key, so that entries survive the account.';
CREATE INDEX audit_log_action_idx ON private.audit_log USING btree (action, happened_at, id);
CREATE INDEX audit_log_actor_idx ON private.audit_log USING btree (actor, happened_at, id);
CREATE INDEX audit_log_happened_at_idx ON private.audit_log USING btree (happened_at, id);
CREATE INDEX audit_log_subject_idx ON private.audit_log USING btree (subject, happened_at);
alter table private.audit_log enable row level security;
CREATE TRIGGER audit_log__append_only BEFORE DELETE OR UPDATE ON private.audit_log FOR EACH ROW EXECUTE FUNCTION private.tg_audit_log__append_only();

create table private.account_flags (
  user_id uuid not null,
  reason text not null,
  created_at timestamp with time zone default now() not null,
  closed_at timestamp with time zone,
  constraint account_flags_pkey PRIMARY KEY (user_id, reason),
  constraint account_flags_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint account_flags_reason_check CHECK ((reason = ANY (ARRAY['verification_attempts_exhausted'::text, 'several_subscriptions'::text])))
);
comment on table private.account_flags is 'Accounts waiting for a human decision, and why.';
comment on column private.account_flags.closed_at is 'When an administrator decided to keep the identity form closed. The flag then waits no more, and can still be reset.';
alter table private.account_flags enable row level security;

CREATE OR REPLACE FUNCTION private.audit(actor uuid, action text, subject uuid, detail jsonb DEFAULT '{}'::jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.audit_log (actor, action, subject, detail) values (actor, action, subject, detail)
$function$;
comment on function private.audit(uuid,text,uuid,jsonb) is 'Adds one entry to the audit log.';

CREATE OR REPLACE FUNCTION private.tg_audit_log__append_only()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception 'the audit log only grows';
end
$function$;

-- plans

create table public.plans (
  id text not null,
  name text not null,
  role text not null,
  amount_pence integer not null,
  currency text default 'GBP'::text not null,
  "interval" text default 'month'::text not null,
  price_id text not null,
  is_active boolean default true not null,
  constraint plans_price_id_key UNIQUE (price_id),
  constraint plans_pkey PRIMARY KEY (id),
  constraint plans_amount_pence_check CHECK ((amount_pence > 0)),
  constraint plans_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint plans_id_check CHECK ((id = ANY (ARRAY['student-access'::text, 'mentor-access'::text]))),
  constraint plans_interval_check CHECK (("interval" = 'month'::text)),
  constraint plans_role_check CHECK ((role = ANY (ARRAY['student'::text, 'mentor'::text])))
);
comment on table public.plans is 'Membership plans on sale.';
comment on column public.plans.role is 'Role a live subscription to this plan gives.';
comment on column public.plans.amount_pence is 'Price per interval in the smallest unit of the currency.';
comment on column public.plans.price_id is 'Price of the card provider; set per install with private.set_plan_price.';
alter table public.plans enable row level security;
grant delete, insert, select, update on public.plans to service_role;
grant select (id, name, role, amount_pence, currency, "interval", price_id, is_active) on public.plans to anon;
grant select (id, name, role, amount_pence, currency, "interval", price_id, is_active) on public.plans to authenticated;
CREATE TRIGGER plans__remember_price AFTER INSERT OR UPDATE OF price_id ON public.plans FOR EACH ROW EXECUTE FUNCTION private.tg_plans__remember_price();

create policy select_everyone on public.plans for select to anon, authenticated
  using (is_active);

create table private.plan_prices (
  price_id text not null,
  plan_id text not null,
  constraint plan_prices_pkey PRIMARY KEY (price_id),
  constraint plan_prices_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plans(id) ON UPDATE CASCADE ON DELETE CASCADE
);
comment on table private.plan_prices is 'Prices of the card provider by plan, past and present.';
CREATE INDEX plan_prices_plan_id_idx ON private.plan_prices USING btree (plan_id);
alter table private.plan_prices enable row level security;

CREATE OR REPLACE FUNCTION private.tg_plans__remember_price()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.plan_prices (price_id, plan_id) values (new.price_id, new.id)
  on conflict (price_id) do update set plan_id = excluded.plan_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.set_plan_price(plan text, price text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update public.plans set price_id = price where id = plan and price_id is distinct from price;
  if not exists (select from public.plans where id = plan) then
    raise exception 'there is no plan %', plan;
  end if;
end
$function$;
comment on function private.set_plan_price(text,text) is 'Sets a plan''s price at the card provider; for the operator.';

create table public.stripe_customers (
  customer_id text not null,
  user_id uuid not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  constraint stripe_customers_pkey PRIMARY KEY (customer_id),
  constraint stripe_customers_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table public.stripe_customers is 'Customers at the card provider, at most one current one for each account.';
comment on column public.stripe_customers.deleted_at is 'Set when the customer no longer exists there; the row stays as a record.';
CREATE UNIQUE INDEX stripe_customers_one_current ON public.stripe_customers USING btree (user_id) WHERE (deleted_at IS NULL);
CREATE INDEX stripe_customers_user_id_idx ON public.stripe_customers USING btree (user_id);
alter table public.stripe_customers enable row level security;
grant delete, insert, select, update on public.stripe_customers to service_role;
grant select (customer_id, user_id, created_at, updated_at, deleted_at) on public.stripe_customers to authenticated;
CREATE CONSTRAINT TRIGGER stripe_customers__period AFTER UPDATE OF deleted_at ON public.stripe_customers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION private.tg_stripe_customers__period();
CREATE TRIGGER stripe_customers__remember_departed AFTER DELETE ON public.stripe_customers FOR EACH ROW EXECUTE FUNCTION private.tg_stripe_customers__remember_departed();
CREATE TRIGGER stripe_customers__stamp BEFORE UPDATE ON public.stripe_customers FOR EACH ROW EXECUTE FUNCTION private.tg_stripe_customers__stamp();

create policy select_own on public.stripe_customers for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

create table public.stripe_subscriptions (
  id bigint generated always as identity not null,
  customer_id text not null,
  subscription_id text,
  status text default 'not_started'::text not null,
  price_id text,
  current_period_start bigint,
  current_period_end bigint,
  cancel_at_period_end boolean default false not null,
  hold text,
  payment_method_brand text,
  payment_method_last4 text,
  payment_method_expires text,
  pending_price_id text,
  pending_from bigint,
  pending_change_id text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  constraint stripe_subscriptions_subscription_id_key UNIQUE (subscription_id),
  constraint stripe_subscriptions_pkey PRIMARY KEY (id),
  constraint stripe_subscriptions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.stripe_customers(customer_id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint stripe_subscriptions_hold_check CHECK ((hold = ANY (ARRAY['disputed'::text, 'dispute_lost'::text, 'refunded'::text]))),
  constraint stripe_subscriptions_payment_method_expires_check CHECK ((payment_method_expires ~ '^[0-9]{4}-[0-9]{2}$'::text)),
  constraint stripe_subscriptions_payment_method_last4_check CHECK ((payment_method_last4 ~ '^[0-9]{4}$'::text)),
  constraint stripe_subscriptions_status_check CHECK ((status = ANY (ARRAY['not_started'::text, 'incomplete'::text, 'incomplete_expired'::text, 'trialing'::text, 'active'::text, 'past_due'::text, 'canceled'::text, 'unpaid'::text, 'paused'::text])))
);
comment on table public.stripe_subscriptions is 'Subscriptions at the card provider, at most one current row for each customer.';
comment on column public.stripe_subscriptions.subscription_id is 'Null until a subscription was created (status not_started).';
comment on column public.stripe_subscriptions.current_period_start is 'Seconds since the epoch, as the card provider gives it.';
comment on column public.stripe_subscriptions.current_period_end is 'Seconds since the epoch, as the card provider gives it.';
comment on column public.stripe_subscriptions.hold is 'Why the status differs from the provider''s: a payment is disputed (paused until decided), was lost to a dispute or fully refunded (canceled).';
comment on column public.stripe_subscriptions.payment_method_expires is 'Last month of the card, as YYYY-MM.';
comment on column public.stripe_subscriptions.pending_price_id is 'Price of a planned change, or of one that waits for its payment.';
comment on column public.stripe_subscriptions.pending_from is 'When the planned change happens, in seconds since the epoch; null while it waits for its payment.';
comment on column public.stripe_subscriptions.pending_change_id is 'Names that change, so that undoing it undoes no other: its schedule, or the invoice it waits for.';
comment on column public.stripe_subscriptions.deleted_at is 'Set when a later subscription replaced this row.';
CREATE INDEX stripe_subscriptions_customer_id_idx ON public.stripe_subscriptions USING btree (customer_id);
CREATE INDEX stripe_subscriptions_live_idx ON public.stripe_subscriptions USING btree (status) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX stripe_subscriptions_one_current ON public.stripe_subscriptions USING btree (customer_id) WHERE (deleted_at IS NULL);
alter table public.stripe_subscriptions enable row level security;
grant delete, insert, select, update on public.stripe_subscriptions to service_role;
grant select (id, customer_id, subscription_id, status, price_id, current_period_start, current_period_end, cancel_at_period_end, hold, payment_method_brand, payment_method_last4, payment_method_expires, pending_price_id, pending_from, pending_change_id, created_at, updated_at, deleted_at) on public.stripe_subscriptions to authenticated;
CREATE TRIGGER stripe_subscriptions__email AFTER INSERT OR UPDATE OF status, price_id, cancel_at_period_end ON public.stripe_subscriptions FOR EACH ROW EXECUTE FUNCTION private.tg_stripe_subscriptions__email();
CREATE TRIGGER stripe_subscriptions__notify AFTER UPDATE OF status ON public.stripe_subscriptions FOR EACH ROW WHEN (((new.status = 'past_due'::text) AND (old.status = ANY (ARRAY['active'::text, 'trialing'::text])))) EXECUTE FUNCTION private.tg_stripe_subscriptions__notify();
CREATE CONSTRAINT TRIGGER stripe_subscriptions__period AFTER INSERT OR DELETE OR UPDATE OF customer_id, status, price_id, deleted_at ON public.stripe_subscriptions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION private.tg_stripe_subscriptions__period();
CREATE TRIGGER stripe_subscriptions__stamp BEFORE UPDATE ON public.stripe_subscriptions FOR EACH ROW EXECUTE FUNCTION private.tg_stripe_subscriptions__stamp();

create policy select_own on public.stripe_subscriptions for select to authenticated
  using ((customer_id IN ( SELECT c.customer_id
   FROM public.stripe_customers c
  WHERE (c.user_id = ( SELECT auth.uid() AS uid)))));

CREATE OR REPLACE FUNCTION private.tg_stripe_customers__stamp()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := now();
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_stripe_subscriptions__stamp()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := now();
  return new;
end
$function$;

create table public.complimentary_memberships (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  plan_id text not null,
  reason text not null,
  granted_at timestamp with time zone default now() not null,
  ends_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint complimentary_memberships_pkey PRIMARY KEY (id),
  constraint complimentary_memberships_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plans(id) ON UPDATE CASCADE,
  constraint complimentary_memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint complimentary_memberships_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500)))
);
comment on table public.complimentary_memberships is 'Memberships without a subscription at the card provider. They give access and a role, and count neither as paying nor as revenue.';
comment on column public.complimentary_memberships.reason is 'Why it was given, for administrators.';
comment on column public.complimentary_memberships.ends_at is 'Access ends at this moment; null while it is open-ended.';
comment on column public.complimentary_memberships.ended_at is 'Set when it was revoked, or when its end was noticed.';
CREATE UNIQUE INDEX complimentary_memberships_one_current ON public.complimentary_memberships USING btree (user_id) WHERE (ended_at IS NULL);
CREATE INDEX complimentary_memberships_plan_id_idx ON public.complimentary_memberships USING btree (plan_id);
CREATE INDEX complimentary_memberships_user_id_idx ON public.complimentary_memberships USING btree (user_id);
alter table public.complimentary_memberships enable row level security;
grant delete, insert, select, update on public.complimentary_memberships to service_role;
grant select (id, user_id, plan_id, granted_at, ends_at, ended_at) on public.complimentary_memberships to authenticated;

create policy select_own on public.complimentary_memberships for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

create view private.current_complimentary_memberships with (security_invoker=true) as
 SELECT m.user_id,
    p.price_id,
    m.plan_id
   FROM (public.complimentary_memberships m
     JOIN public.plans p ON ((p.id = m.plan_id)))
  WHERE ((m.ended_at IS NULL) AND ((m.ends_at IS NULL) OR (m.ends_at > now())));
comment on view private.current_complimentary_memberships is 'Complimentary memberships that give access now.';

create view private.live_memberships with (security_invoker=true) as
 SELECT c.user_id,
    s.price_id
   FROM (public.stripe_customers c
     JOIN public.stripe_subscriptions s ON ((s.customer_id = c.customer_id)))
  WHERE ((c.deleted_at IS NULL) AND (s.deleted_at IS NULL) AND (s.status = ANY (ARRAY['active'::text, 'trialing'::text])) AND (EXISTS ( SELECT
           FROM private.plan_prices o
          WHERE (o.price_id = s.price_id))))
UNION ALL
 SELECT m.user_id,
    m.price_id
   FROM private.current_complimentary_memberships m;
comment on view private.live_memberships is 'Subscriptions that are active or trialing, and complimentary memberships, by account and price.';

CREATE OR REPLACE FUNCTION private.has_live_membership(member uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from private.live_memberships m where m.user_id = member);
end
$function$;
comment on function private.has_live_membership(uuid) is 'True while a subscription of the account is active or trialing, or a complimentary membership runs.';

CREATE OR REPLACE FUNCTION private.plan_role(member uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((
    select p.role from private.live_memberships m
    join private.plan_prices o on o.price_id = m.price_id
    join public.plans p on p.id = o.plan_id
    where m.user_id = member order by p.role = 'mentor' desc limit 1
  ), 'student')
$function$;
comment on function private.plan_role(uuid) is 'mentor while a live membership is of the mentor plan, else student.';

-- profiles

create table public.profiles (
  id uuid not null,
  role text default 'student'::text not null,
  onboarding_complete boolean default false not null,
  first_name text,
  last_name text,
  occupation text,
  bio text,
  updated_at timestamp with time zone default now() not null,
  avatar_url text,
  constraint profiles_pkey PRIMARY KEY (id),
  constraint profiles_id_fkey FOREIGN KEY (id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint profiles_avatar_url_check CHECK (((char_length(avatar_url) <= 600) AND (avatar_url ~ '^(https?://[^/?#\s]+)?/storage/v1/object/public/profile-pictures/[0-9a-f-]{36}-[0-9]{1,20}\.(jpg|jpeg|png)$'::text))),
  constraint profiles_bio_check CHECK ((char_length(bio) <= 2000)),
  constraint profiles_first_name_check CHECK (((char_length(first_name) <= 100) AND (first_name !~ '[[:cntrl:]]'::text))),
  constraint profiles_last_name_check CHECK (((char_length(last_name) <= 100) AND (last_name !~ '[[:cntrl:]]'::text))),
  constraint profiles_occupation_check CHECK (((char_length(occupation) <= 150) AND (occupation !~ '[[:cntrl:]]'::text))),
  constraint profiles_role_check CHECK ((role = ANY (ARRAY['student'::text, 'mentor'::text, 'admin'::text])))
);
comment on table public.profiles is 'Public profile of an account. Members see all columns of each other, so nothing private belongs here.';
comment on column public.profiles.role is 'Set by the server: mentor by the webhook, admin by the operator.';
comment on column public.profiles.onboarding_complete is 'Becomes true once, when all required steps are done.';
comment on column public.profiles.avatar_url is 'Public URL of an object of the account in the bucket profile-pictures; without the origin when the server''s address was not known.';
CREATE INDEX profiles_role_idx ON public.profiles USING btree (role) WHERE (role <> 'student'::text);
alter table public.profiles enable row level security;
grant delete, insert, select, update on public.profiles to service_role;
grant insert (id, role, onboarding_complete, first_name, last_name, occupation, bio, updated_at),
  select (id, role, onboarding_complete, first_name, last_name, occupation, bio, updated_at, avatar_url),
  update (id, role, onboarding_complete, first_name, last_name, occupation, bio, updated_at) on public.profiles to authenticated;
CREATE TRIGGER profiles__guard_insert BEFORE INSERT ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.tg_profiles__guard_insert();
CREATE TRIGGER profiles__guard_update BEFORE UPDATE ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.tg_profiles__guard_update();
CREATE TRIGGER profiles__list_in_directory AFTER INSERT OR UPDATE OF first_name, last_name, occupation, role, onboarding_complete ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.tg_profiles__list_in_directory();
CREATE TRIGGER profiles__list_member AFTER INSERT OR UPDATE OF first_name, last_name ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.tg_profiles__list_member();
CREATE TRIGGER profiles__record_deletion AFTER DELETE ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.tg_profiles__record_deletion();

CREATE OR REPLACE FUNCTION private.caller_is_admin()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from public.profiles p where p.id = auth.uid() and p.role = 'admin');
end
$function$;
comment on function private.caller_is_admin() is 'True when the calling account is an administrator.';
grant execute on function private.caller_is_admin() to authenticated;

CREATE OR REPLACE FUNCTION private.caller_is_member()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from public.profiles p
    where p.id = auth.uid()
      and (p.role = 'admin' or (p.onboarding_complete and private.has_live_membership(p.id)))
  );
end
$function$;
comment on function private.caller_is_member() is 'True when the calling account is onboarded and paying, or an administrator.';
grant execute on function private.caller_is_member() to authenticated;

CREATE OR REPLACE FUNCTION private.caller_plan_role()
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.plan_role(auth.uid())
$function$;
comment on function private.caller_plan_role() is 'Role the calling account pays for.';
grant execute on function private.caller_plan_role() to authenticated;

CREATE OR REPLACE FUNCTION private.require_admin()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
begin
  if not private.caller_is_admin() then
    perform private.fail('FF002', 'Only administrators may do this.');
  end if;
  return caller;
end
$function$;
comment on function private.require_admin() is 'The calling administrator; FF001 or FF002 for other callers.';

create policy select_self_or_member on public.profiles for select to authenticated
  using (((id = ( SELECT auth.uid() AS uid)) OR (( SELECT private.caller_is_member() AS caller_is_member) AND (onboarding_complete OR (role = 'admin'::text))) OR ( SELECT private.caller_is_admin() AS caller_is_admin)));

create policy insert_self on public.profiles for insert to authenticated
  with check ((id = ( SELECT auth.uid() AS uid)));

create policy update_self on public.profiles for update to authenticated
  using ((id = ( SELECT auth.uid() AS uid)));

CREATE OR REPLACE FUNCTION private.tg_profiles__guard_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  existing public.profiles;
begin
  new.updated_at := now();
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.id is distinct from auth.uid() then
    return new;
  end if;
  select p.* into existing from public.profiles p where p.id = new.id;
  if not found then
    new.role := private.caller_plan_role();
    new.onboarding_complete := false;
    return new;
  end if;
  new.role := existing.role;
  if existing.onboarding_complete then
    new.onboarding_complete := true;
  elsif new.onboarding_complete then
    perform private.require_onboarding_steps();
  else
    new.onboarding_complete := false;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_profiles__guard_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := now();
  if not private.is_outside_caller() then
    return new;
  end if;
  new.role := old.role;
  if old.onboarding_complete then
    new.onboarding_complete := true;
    -- A name that was given can be changed, not taken away. Profiles without one may stay so.
    if new.first_name is distinct from old.first_name then
      perform private.require_answer(7, 'first_name', new.first_name);
    end if;
    if new.last_name is distinct from old.last_name then
      perform private.require_answer(7, 'last_name', new.last_name);
    end if;
    if new.occupation is distinct from old.occupation then
      perform private.require_answer(7, 'occupation', new.occupation);
    end if;
  elsif new.onboarding_complete then
    perform private.require_onboarding_steps();
  else
    new.onboarding_complete := false;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.set_role_from_plan(member uuid, plan_role text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if plan_role is null or plan_role not in ('student', 'mentor') then
    raise exception 'a plan cannot give the role %', plan_role;
  end if;
  update public.profiles set role = plan_role
  where id = member and role <> 'admin' and role <> plan_role;
end
$function$;
comment on function private.set_role_from_plan(uuid,text) is 'Sets student or mentor on an account that is not an administrator.';

CREATE OR REPLACE FUNCTION private.make_admin(member uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.profiles (id, role) values (member, 'admin')
  on conflict (id) do update set role = 'admin';
  perform private.audit(null, 'account.made_admin', member);
end
$function$;
comment on function private.make_admin(uuid) is 'Makes an account an administrator, with a profile if it has none; audited.';

-- live sessions

CREATE OR REPLACE FUNCTION private.session_state()
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Read once: this runs before every request.
  claims jsonb := nullif(current_setting('request.jwt.claims', true), '')::jsonb;
  account uuid := (claims ->> 'sub')::uuid;
begin
  return (
    select case
      when claims ->> 'aal' is distinct from 'aal2' and exists (
        select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'
      ) then 'second_factor_due'
      else 'live'
    end
    from auth.users u join auth.sessions s on s.user_id = u.id
    where u.id = account and s.id = (claims ->> 'session_id')::uuid
      and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
      and (s.not_after is null or s.not_after > now())
  );
end
$function$;
comment on function private.session_state() is 'live; second_factor_due while a code must be entered first; null when the session or the account has ended.';

CREATE OR REPLACE FUNCTION private.session_is_live()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return coalesce(private.session_state() = 'live', false);
end
$function$;
comment on function private.session_is_live() is 'True while the calling session may be used. For policies outside the API: files and live updates.';
grant execute on function private.session_is_live() to authenticated;

CREATE OR REPLACE FUNCTION private.refuse_session(code text, message text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  raise exception using errcode = 'PGRST',
    message = json_build_object('code', code, 'message', message)::text,
    detail = json_build_object('status', 401, 'headers', json_build_object('www-authenticate', 'Bearer'))::text;
end
$function$;
comment on function private.refuse_session(text,text) is 'Raises an error that the API returns with status 401 and a code from docs/error-codes.md.';

CREATE OR REPLACE FUNCTION private.require_live_session()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  state text := private.session_state();
begin
  if state = 'live' then
    return;
  end if;
  if state = 'second_factor_due' then
    perform private.refuse_session('FF004', 'Enter the code of your second factor first.');
  end if;
  perform private.refuse_session('FF003', 'Your session has ended. Please sign in again.');
end
$function$;
comment on function private.require_live_session() is 'Raises FF003 when the session or the account has ended, FF004 while the second factor is due.';
grant execute on function private.require_live_session() to authenticated;

create schema hooks;
comment on schema hooks is 'Functions that the platform calls: before a request, after a restore. Not exposed.';
grant usage on schema hooks to anon;
grant usage on schema hooks to authenticated;
grant usage on schema hooks to service_role;

CREATE OR REPLACE FUNCTION hooks.check_request()
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if current_user = 'authenticated' then
    perform private.require_live_session();
  end if;
end
$function$;
comment on function hooks.check_request() is '@pre_request Lets visitors and the server pass; members need a live session.';
grant execute on function hooks.check_request() to anon;
grant execute on function hooks.check_request() to authenticated;
grant execute on function hooks.check_request() to service_role;

create policy all_live_sessions on storage.objects as restrictive for all to authenticated
  using (( SELECT private.session_is_live() AS session_is_live))
  with check (( SELECT private.session_is_live() AS session_is_live));

create policy all_live_sessions on realtime.messages as restrictive for all to authenticated
  using (( SELECT private.session_is_live() AS session_is_live))
  with check (( SELECT private.session_is_live() AS session_is_live));

CREATE OR REPLACE FUNCTION private.caller_has_second_factor()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The token alone does not count, because the factor may have been removed since.
  return auth.jwt() ->> 'aal' = 'aal2' and exists (
    select from auth.sessions s join auth.mfa_factors f on f.id = s.factor_id and f.user_id = s.user_id
    where s.id = (auth.jwt() ->> 'session_id')::uuid and s.user_id = auth.uid()
      and s.aal = 'aal2' and f.status = 'verified'
  );
end
$function$;
comment on function private.caller_has_second_factor() is 'True when a code was entered in the calling session, for a factor the account still has.';

CREATE OR REPLACE FUNCTION private.require_aal2()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.caller_has_second_factor() is not true then
    perform private.fail('FF005', 'This needs a second factor. Set one up on your account page, or enter its code.');
  end if;
end
$function$;
comment on function private.require_aal2() is 'Raises FF005 unless a code was entered in the calling session.';
grant execute on function private.require_aal2() to authenticated;

CREATE OR REPLACE FUNCTION private.caller_is_verified_admin()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.caller_is_admin() and private.caller_has_second_factor();
end
$function$;
comment on function private.caller_is_verified_admin() is 'True when the calling account is an administrator who entered a code in this session. For policies on documents and money.';
grant execute on function private.caller_is_verified_admin() to authenticated;

CREATE OR REPLACE FUNCTION private.require_verified_admin()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_admin();
begin
  perform private.require_aal2();
  return caller;
end
$function$;
comment on function private.require_verified_admin() is 'The calling administrator with a second factor; FF001, FF002 or FF005 for other callers. For functions on documents and money.';
grant execute on function private.require_verified_admin() to authenticated;

-- onboarding

create table public.onboarding_progress (
  user_id uuid not null,
  current_step integer default 1 not null,
  completed_steps integer[] default '{}'::integer[] not null,
  data jsonb default '{}'::jsonb not null,
  updated_at timestamp with time zone default now() not null,
  constraint onboarding_progress_pkey PRIMARY KEY (user_id),
  constraint onboarding_progress_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint onboarding_progress_completed_steps_check CHECK (((completed_steps <@ ARRAY[1, 2, 3, 4, 5, 6, 7, 8, 9]) AND (cardinality(completed_steps) <= 9))),
  constraint onboarding_progress_current_step_check CHECK (((current_step >= 1) AND (current_step <= 9))),
  constraint onboarding_progress_data_check CHECK (((jsonb_typeof(data) = 'object'::text) AND (octet_length((data)::text) <= 65536)))
);
comment on table public.onboarding_progress is 'Progress through the nine onboarding steps, one row for each account.';
comment on column public.onboarding_progress.completed_steps is 'Numbers of the completed steps.';
comment on column public.onboarding_progress.data is 'Answers by field key, for filling the forms again; the answers that count are in onboarding_responses.';
alter table public.onboarding_progress enable row level security;
grant delete, insert, select, update on public.onboarding_progress to service_role;
grant insert (user_id, current_step, completed_steps, data, updated_at),
  select (user_id, current_step, completed_steps, data, updated_at),
  update (user_id, current_step, completed_steps, data, updated_at) on public.onboarding_progress to authenticated;
CREATE TRIGGER onboarding_progress__stamp BEFORE INSERT OR UPDATE ON public.onboarding_progress FOR EACH ROW EXECUTE FUNCTION private.tg_onboarding_progress__stamp();

create policy select_own on public.onboarding_progress for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

create policy insert_own on public.onboarding_progress for insert to authenticated
  with check ((user_id = ( SELECT auth.uid() AS uid)));

create policy update_own on public.onboarding_progress for update to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

CREATE OR REPLACE FUNCTION private.tg_onboarding_progress__stamp()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := now();
  return new;
end
$function$;

create table public.onboarding_responses (
  user_id uuid not null,
  page_number integer not null,
  question text not null,
  answer text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint onboarding_responses_pkey PRIMARY KEY (user_id, page_number, question),
  constraint onboarding_responses_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint onboarding_responses_answer_check CHECK ((char_length(answer) <= 5000)),
  constraint onboarding_responses_page_number_check CHECK (((page_number >= 1) AND (page_number <= 9))),
  constraint onboarding_responses_question_check CHECK (((char_length(question) >= 1) AND (char_length(question) <= 200)))
);
comment on table public.onboarding_responses is 'Answers given in onboarding; a new answer replaces the old one.';
comment on column public.onboarding_responses.page_number is 'Step of the wizard with the question.';
comment on column public.onboarding_responses.question is 'Field key of the question, such as goals_1_year.';
alter table public.onboarding_responses enable row level security;
grant delete, insert, select, update on public.onboarding_responses to service_role;
grant insert (user_id, page_number, question, answer),
  select (user_id, page_number, question, answer, created_at, updated_at),
  update (user_id, page_number, question, answer) on public.onboarding_responses to authenticated;
CREATE TRIGGER onboarding_responses__guard BEFORE INSERT OR UPDATE ON public.onboarding_responses FOR EACH ROW EXECUTE FUNCTION private.tg_onboarding_responses__guard();

create policy select_own on public.onboarding_responses for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

create policy insert_own on public.onboarding_responses for insert to authenticated
  with check ((user_id = ( SELECT auth.uid() AS uid)));

create policy update_own on public.onboarding_responses for update to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

CREATE OR REPLACE FUNCTION private.tg_onboarding_responses__guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := now();
  -- An answer under another question would leave its own question without one.
  if tg_op = 'UPDATE' and private.is_outside_caller() then
    new.page_number := old.page_number;
    new.question := old.question;
  end if;
  if private.is_outside_caller() and new.user_id = auth.uid() then
    perform private.require_answer(new.page_number, new.question, new.answer);
  end if;
  if tg_op = 'INSERT' and private.is_outside_caller() and new.user_id = auth.uid()
    and (select count(*) from public.onboarding_responses r
         where r.user_id = new.user_id and (r.page_number, r.question) <> (new.page_number, new.question)) >= 60
  then
    perform private.fail('FF110', 'There are more answers than the wizard has questions.');
  end if;
  return new;
end
$function$;

create table private.required_answers (
  page_number integer not null,
  question text not null,
  pattern text default '\S'::text not null,
  constraint required_answers_pkey PRIMARY KEY (page_number, question)
);
comment on table private.required_answers is 'Questions that must be answered before onboarding can be completed.';
comment on column private.required_answers.pattern is 'Regular expression the answer must match.';
alter table private.required_answers enable row level security;

CREATE OR REPLACE FUNCTION private.require_onboarding_steps()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  missing text;
begin
  if not private.has_live_membership(caller) then
    perform private.fail('FF101', 'Onboarding needs an active membership.');
  end if;
  select string_agg(q.question, ',' order by q.page_number, q.question) into missing
  from private.required_answers q
  where not exists (
    select from public.onboarding_responses r
    where r.user_id = caller and r.page_number = q.page_number and r.question = q.question and r.answer ~ q.pattern
  );
  if missing is not null then
    perform private.fail('FF102', 'Some required questions have not been answered.', missing);
  end if;
  if not exists (
    select from public.user_verifications v where v.user_id = caller and v.status in ('pending', 'approved')
  ) then
    perform private.fail('FF103', 'Onboarding needs an identity document that is pending or approved.');
  end if;
end
$function$;
comment on function private.require_onboarding_steps() is 'Raises FF101, FF102 or FF103 unless the caller may complete onboarding.';
grant execute on function private.require_onboarding_steps() to authenticated;

-- verifications

create table public.user_verifications (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  document_type text not null,
  document_url text not null,
  status text default 'pending'::text not null,
  rejected_reason text,
  submitted_at timestamp with time zone default now() not null,
  verified_at timestamp with time zone,
  reviewed_at timestamp with time zone,
  attempts_reset_at timestamp with time zone,
  constraint user_verifications_document_url_key UNIQUE (document_url),
  constraint user_verifications_pkey PRIMARY KEY (id),
  constraint user_verifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint user_verifications_document_type_check CHECK ((document_type = ANY (ARRAY['passport'::text, 'drivers_license'::text, 'national_id'::text]))),
  constraint user_verifications_reason_check CHECK ((((status = 'rejected'::text) = (rejected_reason IS NOT NULL)) AND (char_length(rejected_reason) <= 1000))),
  constraint user_verifications_reset_check CHECK (((attempts_reset_at IS NULL) OR (status = 'rejected'::text))),
  constraint user_verifications_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])))
);
comment on table public.user_verifications is 'Submitted identity documents and the decisions about them.';
comment on column public.user_verifications.document_url is 'Name of the object in the private bucket verification-documents.';
comment on column public.user_verifications.verified_at is 'When the document was approved.';
comment on column public.user_verifications.reviewed_at is 'When the document was approved or rejected.';
comment on column public.user_verifications.attempts_reset_at is 'When an administrator took this rejection out of the count of attempts; members do not see such rows.';
CREATE UNIQUE INDEX user_verifications_one_open ON public.user_verifications USING btree (user_id) WHERE (status = ANY (ARRAY['pending'::text, 'approved'::text]));
CREATE INDEX user_verifications_queue_idx ON public.user_verifications USING btree (submitted_at) WHERE (status = 'pending'::text);
CREATE INDEX user_verifications_user_id_idx ON public.user_verifications USING btree (user_id, submitted_at DESC);
alter table public.user_verifications enable row level security;
grant delete, insert, select, update on public.user_verifications to service_role;
grant insert (user_id, document_type, document_url, status),
  select (id, user_id, document_type, document_url, status, rejected_reason, submitted_at, verified_at, reviewed_at, attempts_reset_at) on public.user_verifications to authenticated;
CREATE TRIGGER user_verifications__email AFTER UPDATE OF status ON public.user_verifications FOR EACH ROW WHEN (((new.status = ANY (ARRAY['approved'::text, 'rejected'::text])) AND (new.status <> old.status))) EXECUTE FUNCTION private.tg_user_verifications__email();
CREATE TRIGGER user_verifications__guard_insert BEFORE INSERT ON public.user_verifications FOR EACH ROW EXECUTE FUNCTION private.tg_user_verifications__guard_insert();
CREATE TRIGGER user_verifications__notify AFTER UPDATE OF status ON public.user_verifications FOR EACH ROW WHEN (((new.status = ANY (ARRAY['approved'::text, 'rejected'::text])) AND (new.status <> old.status))) EXECUTE FUNCTION private.tg_user_verifications__notify();
CREATE TRIGGER user_verifications__pin_document AFTER INSERT ON public.user_verifications FOR EACH ROW EXECUTE FUNCTION private.tg_user_verifications__pin_document();
alter publication supabase_realtime add table public.user_verifications;

create policy select_own_or_admin on public.user_verifications for select to authenticated
  using (((((user_id = ( SELECT auth.uid() AS uid)) AND (attempts_reset_at IS NULL)) OR ( SELECT private.caller_is_verified_admin() AS caller_is_verified_admin)) AND ( SELECT private.session_is_live() AS session_is_live)));

create policy insert_own on public.user_verifications for insert to authenticated
  with check ((user_id = ( SELECT auth.uid() AS uid)));

CREATE OR REPLACE FUNCTION private.caller_has_document(document text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from storage.objects o
    where o.bucket_id = 'verification-documents' and o.name = document
      and o.name ~ ('^' || auth.uid()::text || '-verification-[0-9]{1,20}\.(jpg|jpeg|png|pdf)$')
  )
$function$;
comment on function private.caller_has_document(text) is 'True when an object of that name exists and belongs to the caller.';
grant execute on function private.caller_has_document(text) to authenticated;

CREATE OR REPLACE FUNCTION private.caller_verification_counts(OUT open_count integer, OUT rejected_count integer)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select count(*) filter (where v.status in ('pending', 'approved'))::integer,
    count(*) filter (where v.status = 'rejected' and v.attempts_reset_at is null)::integer
  from public.user_verifications v where v.user_id = auth.uid()
$function$;
comment on function private.caller_verification_counts() is 'How many documents of the calling account are pending or approved, and how many rejections count against it.';
grant execute on function private.caller_verification_counts() to authenticated;

CREATE OR REPLACE FUNCTION private.tg_user_verifications__guard_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  counts record;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.user_id is distinct from auth.uid() then
    return new;
  end if;
  new.status := 'pending';
  new.submitted_at := clock_timestamp();
  -- Some clients send the object's address; its last part is the name.
  new.document_url := regexp_replace(regexp_replace(new.document_url, '[?#].*$', ''), '^.*/', '');
  perform pg_advisory_xact_lock(hashtextextended('user_verifications:' || new.user_id::text, 0));
  select * into counts from private.caller_verification_counts();
  if counts.open_count > 0 then
    perform private.fail('FF111', 'An identity document is already being reviewed or was approved.');
  end if;
  if counts.rejected_count >= 5 then
    perform private.fail('FF112', 'Maximum verification attempts exceeded.');
  end if;
  if not private.caller_has_document(new.document_url) then
    perform private.fail('FF113', 'The identity document has not been uploaded.');
  end if;
  return new;
end
$function$;

create table private.document_pins (
  verification_id uuid not null,
  object_id uuid not null,
  version text,
  etag text,
  reviewed_sha256 text,
  constraint document_pins_pkey PRIMARY KEY (verification_id),
  constraint document_pins_verification_id_fkey FOREIGN KEY (verification_id) REFERENCES public.user_verifications(id) ON DELETE CASCADE,
  constraint document_pins_sha256_check CHECK ((reviewed_sha256 ~ '^[0-9a-f]{64}$'::text))
);
comment on table private.document_pins is 'The stored object of each submitted identity document.';
comment on column private.document_pins.version is 'Version of the object, which names its bytes in the store; every write makes a new one.';
comment on column private.document_pins.reviewed_sha256 is 'SHA-256 of the bytes the reviewer''s screen showed, in hex.';
alter table private.document_pins enable row level security;

CREATE OR REPLACE FUNCTION private.tg_user_verifications__pin_document()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.document_pins (verification_id, object_id, version, etag)
  select new.id, o.id, o.version, o.metadata ->> 'eTag' from storage.objects o
  where o.bucket_id = 'verification-documents' and o.name = new.document_url;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.document_state(verification_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when o.id is null then 'missing'
    when (o.id, o.version, o.metadata ->> 'eTag') is distinct from (p.object_id, p.version, p.etag) then 'changed'
    else 'unchanged'
  end
  from public.user_verifications v
  left join private.document_pins p on p.verification_id = v.id
  left join storage.objects o on o.bucket_id = 'verification-documents' and o.name = v.document_url
  where v.id = document_state.verification_id
$function$;
comment on function private.document_state(uuid) is 'unchanged while the submitted object is stored under its name; changed or missing otherwise.';

create table private.document_openings (
  admin_id uuid not null,
  verification_id uuid not null,
  version text,
  opened_at timestamp with time zone not null,
  constraint document_openings_pkey PRIMARY KEY (admin_id, verification_id),
  constraint document_openings_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint document_openings_verification_id_fkey FOREIGN KEY (verification_id) REFERENCES public.user_verifications(id) ON DELETE CASCADE
);
comment on table private.document_openings is 'The last opening of a document by each administrator. The record of every opening is the audit log (verification.document_opened).';
comment on column private.document_openings.version is 'Version of the object whose bytes were handed out; null where the store gives none.';
CREATE INDEX document_openings_verification_id_idx ON private.document_openings USING btree (verification_id);
alter table private.document_openings enable row level security;

CREATE OR REPLACE FUNCTION private.review_verification(verification_id uuid, decision text, reason text, document_version text, document_sha256 text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  reviewer uuid := private.require_verified_admin();
  reviewed public.user_verifications;
  why text := nullif(btrim(reason), '');
begin
  if decision is null or decision not in ('approved', 'rejected') then
    perform private.fail('FF122', 'The decision must be approved or rejected.');
  end if;
  if decision = 'rejected' and (why is null or char_length(why) > 1000) then
    perform private.fail('FF123', 'A rejection needs a reason of at most 1000 characters.');
  end if;
  select v.* into reviewed from public.user_verifications v where v.id = verification_id for update;
  if not found or reviewed.status <> 'pending' then
    perform private.fail('FF121', 'This document is not waiting for a review.');
  end if;
  if reviewed.user_id = reviewer then
    perform private.fail('FF124', 'Another administrator has to decide about your own document.');
  end if;
  -- A document that was changed or lost can still be rejected, so that the member may send another.
  if decision = 'approved' then
    if private.document_state(verification_id) <> 'unchanged' then
      perform private.fail('FF125', 'The document is not the one that was handed in. Reject it and ask for another.');
    end if;
    -- The version must be the one that was handed in, and this administrator must have opened it.
    if document_version is distinct from (
      select p.version from private.document_pins p where p.verification_id = reviewed.id
    ) or not exists (
      select from private.document_openings o
      where o.admin_id = reviewer and o.verification_id = reviewed.id and o.version is not distinct from document_version
    ) then
      perform private.fail('FF126', 'This is not the document you looked at. Open it again before you decide.');
    end if;
    update private.document_pins p set reviewed_sha256 = document_sha256 where p.verification_id = reviewed.id;
  end if;
  update public.user_verifications v
  set status = decision,
    rejected_reason = case when decision = 'rejected' then why end,
    verified_at = case when decision = 'approved' then now() end,
    reviewed_at = now()
  where v.id = verification_id;
  perform private.audit(
    reviewer, 'verification.' || decision, reviewed.user_id,
    jsonb_strip_nulls(jsonb_build_object(
      'verification_id', verification_id, 'before', reviewed.status, 'after', decision, 'reason', why,
      'document_version', document_version, 'document_sha256', document_sha256
    ))
  );
  if (select count(*) from public.user_verifications v
      where v.user_id = reviewed.user_id and v.status = 'rejected' and v.attempts_reset_at is null) >= 5 then
    insert into private.account_flags (user_id, reason)
    values (reviewed.user_id, 'verification_attempts_exhausted')
    on conflict do nothing;
  end if;
end
$function$;
comment on function private.review_verification(uuid,text,text,text,text) is 'Approves or rejects another account''s pending document; flags the account after the fifth rejection.';
grant execute on function private.review_verification(uuid,text,text,text,text) to authenticated;

CREATE OR REPLACE FUNCTION public.review_verification(verification_id uuid, decision text, reason text DEFAULT NULL::text, document_version text DEFAULT NULL::text, document_sha256 text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.review_verification(verification_id, decision, reason, document_version, document_sha256)
$function$;
comment on function public.review_verification(uuid,text,text,text,text) is 'Administrators: approve or reject a pending identity document; an approval names the reviewed version.';
grant execute on function public.review_verification(uuid,text,text,text,text) to authenticated;

CREATE OR REPLACE FUNCTION private.verification_queue()
 RETURNS TABLE(id uuid, user_id uuid, email text, first_name text, last_name text, document_type text, document_url text, submitted_at timestamp with time zone, rejections integer, document_version text, document_state text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return query
    select v.id, v.user_id, u.email::text, p.first_name, p.last_name, v.document_type, v.document_url, v.submitted_at,
      (select count(*)::integer from public.user_verifications r where r.user_id = v.user_id and r.status = 'rejected'
        and r.attempts_reset_at is null),
      (select k.version from private.document_pins k where k.verification_id = v.id),
      private.document_state(v.id)
    from public.user_verifications v
    join auth.users u on u.id = v.user_id
    left join public.profiles p on p.id = v.user_id
    where v.status = 'pending'
    order by v.submitted_at, v.id;
end
$function$;
comment on function private.verification_queue() is 'Pending documents with their account and its number of earlier rejections.';
grant execute on function private.verification_queue() to authenticated;

CREATE OR REPLACE FUNCTION public.verification_queue()
 RETURNS TABLE(id uuid, user_id uuid, email text, first_name text, last_name text, document_type text, document_url text, submitted_at timestamp with time zone, rejections integer, document_version text, document_state text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select * from private.verification_queue()
$function$;
comment on function public.verification_queue() is 'Administrators: identity documents waiting for a review, oldest first.';
grant execute on function public.verification_queue() to authenticated;

-- verification documents

CREATE OR REPLACE FUNCTION private.tg_storage_objects__limit_documents()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  member text := split_part(new.name, '-verification-', 1);
begin
  -- A row for another account is not changed: the policy refuses it next.
  if auth.uid() is not null and auth.uid()::text <> member then
    return new;
  end if;
  -- Uploads of one account are serialised, so that concurrent ones cannot exceed the limit.
  perform pg_advisory_xact_lock(hashtextextended('verification-documents:' || member, 0));
  if (
    select count(*) from storage.objects o
    where o.bucket_id = 'verification-documents' and o.name like member || '-verification-%'
  ) >= 20 then
    perform private.fail('42501', 'This account has stored twenty identity documents, which is the most.');
  end if;
  if exists (select from public.user_verifications v where v.document_url = new.name) then
    perform private.fail('42501', 'A document of this name was handed in before.');
  end if;
  return new;
end
$function$;

CREATE TRIGGER storage_objects__limit_documents BEFORE INSERT ON storage.objects FOR EACH ROW WHEN ((new.bucket_id = 'verification-documents'::text)) EXECUTE FUNCTION private.tg_storage_objects__limit_documents();

CREATE OR REPLACE FUNCTION private.tg_storage_objects__keep_content()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if (new.id, new.bucket_id, new.name, new.owner, new.owner_id, new.version, new.metadata)
    is distinct from (old.id, old.bucket_id, old.name, old.owner, old.owner_id, old.version, old.metadata)
  then
    raise exception using errcode = '42501', message = 'A stored document or picture is never changed.';
  end if;
  return new;
end
$function$;

CREATE TRIGGER storage_objects__keep_content BEFORE UPDATE ON storage.objects FOR EACH ROW WHEN (((old.bucket_id = ANY (ARRAY['verification-documents'::text, 'learning-images'::text, 'profile-pictures'::text])) OR (new.bucket_id = ANY (ARRAY['verification-documents'::text, 'learning-images'::text, 'profile-pictures'::text])))) EXECUTE FUNCTION private.tg_storage_objects__keep_content();

create policy insert_own_verification_document on storage.objects for insert to authenticated
  with check (((bucket_id = 'verification-documents'::text) AND (name ~ (('^'::text || (( SELECT auth.uid() AS uid))::text) || '-verification-[0-9]{1,20}\.(jpg|jpeg|png|pdf)$'::text))));

create policy select_own_verification_document on storage.objects for select to authenticated
  using (((bucket_id = 'verification-documents'::text) AND starts_with(name, ((( SELECT auth.uid() AS uid))::text || '-verification-'::text))));

-- levels

create table public.user_levels (
  user_id uuid not null,
  current_level integer default 1 not null,
  unlocked_levels integer[] default '{0,1}'::integer[] not null,
  updated_at timestamp with time zone default now() not null,
  constraint user_levels_pkey PRIMARY KEY (user_id),
  constraint user_levels_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint user_levels_current_level_check CHECK (((current_level >= 1) AND (current_level <= 4))),
  constraint user_levels_unlocked_levels_check CHECK (((unlocked_levels <@ ARRAY[0, 1, 2, 3, 4]) AND (cardinality(unlocked_levels) <= 5)))
);
comment on table public.user_levels is 'Level reached, one row for each member. effective_level also requires a live membership and decides access.';
comment on column public.user_levels.unlocked_levels is 'Every level up to the current one; 0 is content without a level.';
alter table public.user_levels enable row level security;
grant delete, insert, select, update on public.user_levels to service_role;
grant insert (user_id, current_level, unlocked_levels, updated_at),
  select (user_id, current_level, unlocked_levels, updated_at),
  update (user_id, current_level, unlocked_levels, updated_at) on public.user_levels to authenticated;
CREATE TRIGGER user_levels__guard_insert BEFORE INSERT ON public.user_levels FOR EACH ROW EXECUTE FUNCTION private.tg_user_levels__guard_insert();
CREATE TRIGGER user_levels__guard_update BEFORE UPDATE ON public.user_levels FOR EACH ROW EXECUTE FUNCTION private.tg_user_levels__guard_update();
CREATE TRIGGER user_levels__mirror AFTER INSERT OR UPDATE OF current_level ON public.user_levels FOR EACH ROW EXECUTE FUNCTION private.tg_user_levels__mirror();
CREATE TRIGGER user_levels__notify AFTER UPDATE OF current_level ON public.user_levels FOR EACH ROW WHEN ((new.current_level > old.current_level)) EXECUTE FUNCTION private.tg_user_levels__notify();
alter publication supabase_realtime add table public.user_levels;

create policy select_own on public.user_levels for select to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.session_is_live() AS session_is_live)));

create policy insert_own on public.user_levels for insert to authenticated
  with check ((user_id = ( SELECT auth.uid() AS uid)));

create policy update_own on public.user_levels for update to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

CREATE OR REPLACE FUNCTION private.tg_user_levels__guard_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  existing public.user_levels;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.user_id is distinct from auth.uid() then
    return new;
  end if;
  select l.* into existing from public.user_levels l where l.user_id = new.user_id;
  if found then
    return existing;
  end if;
  new.current_level := 1;
  new.unlocked_levels := '{0,1}';
  new.updated_at := now();
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_user_levels__guard_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if private.is_outside_caller() then
    return old;
  end if;
  new.updated_at := now();
  return new;
end
$function$;

create table public.user_progress (
  user_id uuid not null,
  current_level integer default 1 not null,
  chat_rooms_opened text[] default '{}'::text[] not null,
  learning_submissions integer default 0 not null,
  message_engagements integer default 0 not null,
  articles_read_by_category jsonb default '{"wealth": [], "general": [], "business": []}'::jsonb not null,
  courses_completed_by_category jsonb default '{"wealth": [], "general": [], "business": []}'::jsonb not null,
  level_completed_at timestamp with time zone,
  updated_at timestamp with time zone default now() not null,
  constraint user_progress_pkey PRIMARY KEY (user_id),
  constraint user_progress_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint user_progress_current_level_check CHECK (((current_level >= 1) AND (current_level <= 4))),
  constraint user_progress_learning_submissions_check CHECK ((learning_submissions >= 0)),
  constraint user_progress_message_engagements_check CHECK ((message_engagements >= 0))
);
comment on table public.user_progress is 'Progress towards the next level, one row for each member, kept by the server.';
comment on column public.user_progress.chat_rooms_opened is 'Ids of rooms opened, at most room_count_limit (five by default).';
comment on column public.user_progress.articles_read_by_category is 'Ids of articles read, by main category.';
comment on column public.user_progress.courses_completed_by_category is 'Ids of courses completed, by main category.';
comment on column public.user_progress.level_completed_at is 'When the member last completed a level; null before the first.';
alter table public.user_progress enable row level security;
grant delete, insert, select, update on public.user_progress to service_role;
grant insert (user_id),
  select (user_id, current_level, chat_rooms_opened, learning_submissions, message_engagements, articles_read_by_category, courses_completed_by_category, level_completed_at, updated_at),
  update (user_id, current_level, chat_rooms_opened, learning_submissions, message_engagements, articles_read_by_category, courses_completed_by_category, level_completed_at, updated_at) on public.user_progress to authenticated;
CREATE CONSTRAINT TRIGGER user_progress__count_engagements AFTER INSERT OR DELETE OR UPDATE OF message_engagements ON public.user_progress DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION private.tg_user_progress__count_engagements();
CREATE TRIGGER user_progress__guard_update BEFORE UPDATE ON public.user_progress FOR EACH ROW EXECUTE FUNCTION private.tg_user_progress__guard_update();
CREATE TRIGGER user_progress__start BEFORE INSERT ON public.user_progress FOR EACH ROW EXECUTE FUNCTION private.tg_user_progress__start();
alter publication supabase_realtime add table public.user_progress;

create policy select_own on public.user_progress for select to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.session_is_live() AS session_is_live)));

create policy insert_own on public.user_progress for insert to authenticated
  with check ((user_id = ( SELECT auth.uid() AS uid)));

create policy update_own on public.user_progress for update to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

CREATE OR REPLACE FUNCTION private.tg_user_progress__guard_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if private.is_outside_caller() then
    return old;
  end if;
  -- clock_timestamp, because clients treat the row with the later updated_at as the newer one.
  new.updated_at := clock_timestamp();
  return new;
end
$function$;

create view private.effective_levels with (security_invoker=true) as
 SELECT id AS user_id,
        CASE
            WHEN (role = 'admin'::text) THEN 4
            WHEN (onboarding_complete AND (EXISTS ( SELECT
               FROM private.live_memberships m
              WHERE (m.user_id = p.id)))) THEN COALESCE(( SELECT l.current_level
               FROM public.user_levels l
              WHERE (l.user_id = p.id)), 1)
            ELSE 0
        END AS level
   FROM public.profiles p;
comment on view private.effective_levels is 'Level each account may use now: 0 without onboarding or live membership, 4 for administrators.';

CREATE OR REPLACE FUNCTION private.effective_level(member uuid)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return coalesce((select l.level from private.effective_levels l where l.user_id = member), 0);
end
$function$;
comment on function private.effective_level(uuid) is 'Level an account may use now; 0 when there is no such account.';

CREATE OR REPLACE FUNCTION private.caller_effective_level()
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.effective_level(private.require_caller());
end
$function$;
comment on function private.caller_effective_level() is 'Level the calling account may use now.';
grant execute on function private.caller_effective_level() to authenticated;

CREATE OR REPLACE FUNCTION public.effective_level()
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.caller_effective_level()
$function$;
comment on function public.effective_level() is 'Level the caller may use now: 0 without onboarding or live membership, 4 for administrators.';
grant execute on function public.effective_level() to authenticated;

-- billing purchases

create table private.billing_attempts (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  price_id text not null,
  state text default 'working'::text not null,
  subscription_id text,
  lease_until timestamp with time zone default (clock_timestamp() + '00:01:00'::interval) not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint billing_attempts_subscription_id_key UNIQUE (subscription_id),
  constraint billing_attempts_pkey PRIMARY KEY (id),
  constraint billing_attempts_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint billing_attempts_state_check CHECK ((state = ANY (ARRAY['working'::text, 'unknown'::text, 'needs_action'::text, 'paid'::text, 'failed'::text, 'abandoned'::text])))
);
comment on table private.billing_attempts is 'Attempts at buying a plan; the id is also the idempotency key at the card provider.';
comment on column private.billing_attempts.state is 'working: a function is running. unknown: the provider''s answer was lost. needs_action: the bank asks the member. paid, failed: finished. abandoned: replaced by a later attempt that has yet to clean up.';
comment on column private.billing_attempts.subscription_id is 'Recorded before any money moves; only a recorded subscription is ever paid.';
comment on column private.billing_attempts.lease_until is 'Until then a working attempt counts as running.';
CREATE UNIQUE INDEX billing_attempts_one_open ON private.billing_attempts USING btree (user_id) WHERE (state = ANY (ARRAY['working'::text, 'unknown'::text, 'needs_action'::text]));
CREATE INDEX billing_attempts_user_id_idx ON private.billing_attempts USING btree (user_id, created_at DESC);
alter table private.billing_attempts enable row level security;

CREATE OR REPLACE FUNCTION private.lock_billing(member uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select pg_advisory_xact_lock(hashtextextended('billing:' || member::text, 0))
$function$;
comment on function private.lock_billing(uuid) is 'Blocks other billing steps of the member until the transaction ends.';

CREATE OR REPLACE FUNCTION private.billing_customer(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'customer_id', max(c.customer_id) filter (where c.deleted_at is null),
    'generation', count(*) filter (where c.deleted_at is not null)
  ) from public.stripe_customers c where c.user_id = member
$function$;
comment on function private.billing_customer(uuid) is 'The current customer of an account, if any, and how many it had before.';
grant execute on function private.billing_customer(uuid) to service_role;

CREATE OR REPLACE FUNCTION private.billing_record_customer(member uuid, customer text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  current_customer text;
begin
  perform private.lock_billing(member);
  select c.customer_id into current_customer
  from public.stripe_customers c where c.user_id = member and c.deleted_at is null;
  if found then
    return current_customer;
  end if;
  insert into public.stripe_customers (customer_id, user_id) values (customer, member);
  return customer;
end
$function$;
comment on function private.billing_record_customer(uuid,text) is 'Stores the customer of an account that has none; returns the stored one.';
grant execute on function private.billing_record_customer(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION private.billing_begin_purchase(member uuid, price text, joining uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  held private.billing_attempts;
  joined private.billing_attempts;
  begun uuid;
begin
  perform private.lock_billing(member);
  if not exists (select from public.plans p where p.price_id = price and p.is_active) then
    return jsonb_build_object('state', 'unknown_price');
  end if;
  select a.* into held from private.billing_attempts a
  where a.user_id = member and a.state in ('working', 'unknown', 'needs_action');
  if held.state = 'working' and held.lease_until > clock_timestamp() then
    return jsonb_build_object('state', 'busy', 'attempt_id', held.id);
  end if;
  select a.* into joined from private.billing_attempts a
  where a.id = joining and a.user_id = member and a.price_id = price and a.state in ('paid', 'needs_action')
    and a.subscription_id is not null;
  if found then
    return jsonb_build_object('state', 'joined', 'attempt_id', joined.id, 'subscription_id', joined.subscription_id);
  end if;
  -- Many attempts in an hour suggest that stolen cards are being tested.
  if (select count(*) from private.billing_attempts a
      where a.user_id = member and a.created_at > clock_timestamp() - interval '1 hour') >= 20 then
    return jsonb_build_object('state', 'too_many');
  end if;
  update private.billing_attempts a set state = 'abandoned', updated_at = clock_timestamp() where a.id = held.id;
  insert into private.billing_attempts (user_id, price_id) values (member, price) returning id into begun;
  return jsonb_build_object(
    'state', 'begun',
    'attempt_id', begun,
    'leftovers', (
      select coalesce(jsonb_agg(a.subscription_id), '[]') from private.billing_attempts a
      where a.user_id = member and a.state = 'abandoned' and a.subscription_id is not null
    ),
    'recent', (
      select coalesce(jsonb_agg(a.subscription_id), '[]') from private.billing_attempts a
      where a.user_id = member and a.price_id = price and a.subscription_id is not null
        and a.created_at > clock_timestamp() - interval '15 minutes'
    )
  );
end
$function$;
comment on function private.billing_begin_purchase(uuid,text,uuid) is 'Opens an attempt and lists the subscriptions to clean up and those bought recently; or busy, joined, unknown_price, too_many.';
grant execute on function private.billing_begin_purchase(uuid,text,uuid) to service_role;

CREATE OR REPLACE FUNCTION private.billing_record_subscription(attempt uuid, subscription text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.billing_attempts a
  set subscription_id = subscription,
    lease_until = clock_timestamp() + interval '60 seconds', updated_at = clock_timestamp()
  where a.id = attempt and a.state = 'working' and coalesce(a.subscription_id, subscription) = subscription;
  return found;
end
$function$;
comment on function private.billing_record_subscription(uuid,text) is 'True when the attempt still counts and may pay this subscription.';
grant execute on function private.billing_record_subscription(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION private.billing_end_attempt(attempt uuid, outcome text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.billing_attempts a set state = outcome, updated_at = clock_timestamp()
  where a.id = attempt and outcome in ('unknown', 'needs_action', 'paid', 'failed')
    and (a.state in ('working', 'unknown', 'needs_action')
      or a.state = 'abandoned' and outcome in ('paid', 'failed'))
$function$;
comment on function private.billing_end_attempt(uuid,text) is 'Stores the outcome of an attempt: paid, failed, needs_action or unknown.';
grant execute on function private.billing_end_attempt(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION public.billing_customer(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.billing_customer(member) $function$;
comment on function public.billing_customer(uuid) is 'Server: the current customer of an account.';
grant execute on function public.billing_customer(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.billing_record_customer(member uuid, customer text)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_record_customer(member, customer) $function$;
comment on function public.billing_record_customer(uuid,text) is 'Server: store the customer of an account.';
grant execute on function public.billing_record_customer(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION public.billing_begin_purchase(member uuid, price text, joining uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_begin_purchase(member, price, joining) $function$;
comment on function public.billing_begin_purchase(uuid,text,uuid) is 'Server: open an attempt at buying a plan.';
grant execute on function public.billing_begin_purchase(uuid,text,uuid) to service_role;

CREATE OR REPLACE FUNCTION public.billing_record_subscription(attempt uuid, subscription text)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_record_subscription(attempt, subscription) $function$;
comment on function public.billing_record_subscription(uuid,text) is 'Server: claim a subscription for an attempt before paying.';
grant execute on function public.billing_record_subscription(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION public.billing_end_attempt(attempt uuid, outcome text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_end_attempt(attempt, outcome) $function$;
comment on function public.billing_end_attempt(uuid,text) is 'Server: close an attempt.';
grant execute on function public.billing_end_attempt(uuid,text) to service_role;

-- billing sync

create table private.billing_events (
  event_id text not null,
  event_type text not null,
  applied_at timestamp with time zone default now() not null,
  constraint billing_events_pkey PRIMARY KEY (event_id)
);
comment on table private.billing_events is 'Ids of webhook events that were applied, kept for two months.';
CREATE INDEX billing_events_applied_at_idx ON private.billing_events USING btree (applied_at);
alter table private.billing_events enable row level security;

CREATE OR REPLACE FUNCTION private.billing_note_event(event text, event_type text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.billing_events (event_id, event_type) values (event, event_type) on conflict do nothing;
  return found;
end
$function$;
comment on function private.billing_note_event(text,text) is 'Stores an event id; false when it was stored before.';

create sequence private.billing_ticket_seq as bigint;

create table private.billing_reads (
  subscription_id text not null,
  ticket bigint not null,
  created_at_provider bigint not null,
  ended_at_provider bigint,
  constraint billing_reads_pkey PRIMARY KEY (subscription_id)
);
comment on table private.billing_reads is 'The ticket of the reading that each subscription row holds.';
comment on column private.billing_reads.created_at_provider is 'Seconds since the epoch, as the card provider gives it.';
comment on column private.billing_reads.ended_at_provider is 'Likewise; null while the subscription runs at the provider.';
alter table private.billing_reads enable row level security;

CREATE OR REPLACE FUNCTION private.billing_draw_ticket(event text)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select nextval('private.billing_ticket_seq')
  where event is null or not exists (select from private.billing_events e where e.event_id = event)
$function$;
comment on function private.billing_draw_ticket(text) is 'A ticket for reading the provider; null when the event was applied before.';
grant execute on function private.billing_draw_ticket(text) to service_role;

CREATE OR REPLACE FUNCTION private.billing_rank(status text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case
    when status in ('active', 'trialing') then 4
    when status = 'past_due' then 3
    when status in ('unpaid', 'paused') then 2
    when status = 'incomplete' then 1
    when status = 'not_started' then -1
    else 0
  end
$function$;
comment on function private.billing_rank(text) is 'Higher is better: live, past due, stopped, incomplete, ended, not started.';

CREATE OR REPLACE FUNCTION private.billing_elect_current(customer text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  best bigint;
begin
  select s.id into best from public.stripe_subscriptions s
  left join private.billing_reads r on r.subscription_id = s.subscription_id
  left join private.plan_prices o on o.price_id = s.price_id
  left join public.plans p on p.id = o.plan_id
  where s.customer_id = customer
  order by private.billing_rank(s.status) desc, p.role = 'mentor' desc nulls last, r.created_at_provider desc nulls last, s.id desc limit 1;
  update public.stripe_subscriptions s set deleted_at = now()
  where s.customer_id = customer and s.id <> best and s.deleted_at is null;
  update public.stripe_subscriptions s set deleted_at = null where s.id = best and s.deleted_at is not null;
end
$function$;
comment on function private.billing_elect_current(text) is 'Makes the best subscription of a customer the current row.';

create table private.billing_charges (
  charge_id text not null,
  customer_id text not null,
  subscription_id text,
  ticket bigint not null,
  is_refunded boolean not null,
  period_start bigint,
  period_end bigint,
  dispute text,
  amount_refunded bigint default 0 not null,
  invoice_id text,
  amount bigint,
  card_brand text,
  card_last4 text,
  upgraded_from text,
  upgraded_to text,
  card_hash bytea,
  constraint billing_charges_pkey PRIMARY KEY (charge_id),
  constraint billing_charges_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.stripe_customers(customer_id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint billing_charges_dispute_check CHECK ((dispute = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text])))
);
comment on table private.billing_charges is 'Latest reading of each payment at the card provider.';
comment on column private.billing_charges.subscription_id is 'Null for a payment that was for none.';
comment on column private.billing_charges.is_refunded is 'The whole amount was refunded.';
comment on column private.billing_charges.period_start is 'Start of that period, likewise.';
comment on column private.billing_charges.period_end is 'End of the period the payment was for, in seconds since the epoch; null when it paid for none, such as a change of plan.';
comment on column private.billing_charges.dispute is 'Null without a dispute, or while the bank only inquires.';
comment on column private.billing_charges.invoice_id is 'The invoice that was paid.';
comment on column private.billing_charges.amount is 'Paid amount in the smallest unit of the currency.';
comment on column private.billing_charges.upgraded_from is 'Price before the change of plan whose difference was paid, upgraded_to the price after it; null for other payments.';
comment on column private.billing_charges.card_hash is 'HMAC of the provider''s fingerprint of the card, as in trial_cards; null when it is not known.';
CREATE INDEX billing_charges_card_hash_idx ON private.billing_charges USING btree (card_hash) WHERE (card_hash IS NOT NULL);
CREATE INDEX billing_charges_customer_id_idx ON private.billing_charges USING btree (customer_id);
CREATE INDEX billing_charges_invoice_id_idx ON private.billing_charges USING btree (invoice_id);
CREATE INDEX billing_charges_subscription_id_idx ON private.billing_charges USING btree (subscription_id);
alter table private.billing_charges enable row level security;
CREATE TRIGGER billing_charges__settle_commission AFTER UPDATE ON private.billing_charges FOR EACH ROW EXECUTE FUNCTION private.tg_billing_charges__settle_commission();

CREATE OR REPLACE FUNCTION private.billing_hold(subscription text, period_start bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when bool_or(c.dispute = 'lost') then 'dispute_lost'
    when bool_or(c.is_refunded and c.period_end > coalesce(billing_hold.period_start, 0) and not exists (
      select from private.billing_charges later
      where later.subscription_id = c.subscription_id and not later.is_refunded
        and later.period_start > coalesce(c.period_start, 0)
        and later.period_start <= billing_hold.period_start and later.period_end > billing_hold.period_start
    )) then 'refunded'
    when bool_or(c.dispute = 'open') then 'disputed'
  end
  from private.billing_charges c where c.subscription_id = billing_hold.subscription
$function$;
comment on function private.billing_hold(text,bigint) is 'Why a subscription that is live at the provider gives no access: disputed, dispute_lost, refunded, or null.';

CREATE OR REPLACE FUNCTION private.billing_apply_hold(status text, hold text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case
    when hold is null or status not in ('active', 'trialing', 'past_due') then status
    when hold = 'disputed' then 'paused'
    else 'canceled'
  end
$function$;
comment on function private.billing_apply_hold(text,text) is 'The member''s status, from the provider''s status and the hold.';

CREATE OR REPLACE FUNCTION private.billing_best_item(snapshot jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select i.item
  from jsonb_array_elements(coalesce(snapshot -> 'items', jsonb_build_array(snapshot))) with ordinality i (item, place)
  left join private.plan_prices o on o.price_id = i.item ->> 'price_id'
  left join public.plans p on p.id = o.plan_id
  order by p.role = 'mentor' desc nulls last, i.place limit 1
$function$;
comment on function private.billing_best_item(jsonb) is 'The item that counts: a mentor price before a student price before other prices.';

CREATE OR REPLACE FUNCTION private.billing_apply(ticket bigint, snapshot jsonb, event text, event_type text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  member uuid;
  customer text := snapshot ->> 'customer_id';
  subscription text := snapshot ->> 'subscription_id';
  item jsonb := private.billing_best_item(snapshot);
  hold text;
  new_status text;
begin
  if event is not null and not private.billing_note_event(event, event_type) then
    return 'duplicate';
  end if;
  -- The row lock serialises the readings of one customer.
  select c.user_id into member from public.stripe_customers c where c.customer_id = customer for update;
  if not found then
    return 'unknown_customer';
  end if;
  -- Read under the lock: a dispute may have been written while this waited.
  hold := private.billing_hold(subscription, (item ->> 'current_period_start')::bigint);
  new_status := private.billing_apply_hold(snapshot ->> 'status', hold);
  item := item || jsonb_build_object('price_id', coalesce(private.billing_price_before_upgrade(
    subscription, item ->> 'price_id', snapshot ->> 'latest_invoice'
  ), item ->> 'price_id'));
  insert into private.billing_reads as r (subscription_id, ticket, created_at_provider, ended_at_provider)
  values (subscription, billing_apply.ticket, (snapshot ->> 'created')::bigint, (snapshot ->> 'ended')::bigint)
  on conflict (subscription_id) do update set ticket = excluded.ticket, ended_at_provider = excluded.ended_at_provider
  where r.ticket < excluded.ticket;
  if not found then
    return 'stale';
  end if;
  insert into public.stripe_subscriptions as s (
    customer_id, subscription_id, status, price_id, current_period_start, current_period_end,
    cancel_at_period_end, hold, payment_method_brand, payment_method_last4, payment_method_expires,
    pending_price_id, pending_from, pending_change_id, deleted_at
  ) values (
    customer, subscription, new_status, item ->> 'price_id',
    (item ->> 'current_period_start')::bigint, (item ->> 'current_period_end')::bigint,
    (snapshot ->> 'cancel_at_period_end')::boolean, hold,
    snapshot ->> 'payment_method_brand', snapshot ->> 'payment_method_last4', snapshot ->> 'payment_method_expires',
    snapshot ->> 'pending_price_id', (snapshot ->> 'pending_from')::bigint, snapshot ->> 'pending_change_id', now()
  )
  on conflict (subscription_id) do update set
    status = excluded.status,
    price_id = excluded.price_id,
    current_period_start = excluded.current_period_start,
    current_period_end = excluded.current_period_end,
    cancel_at_period_end = excluded.cancel_at_period_end,
    hold = excluded.hold,
    payment_method_brand = coalesce(excluded.payment_method_brand, s.payment_method_brand),
    payment_method_last4 = case
      when excluded.payment_method_brand is null then s.payment_method_last4 else excluded.payment_method_last4
    end,
    payment_method_expires = case
      when excluded.payment_method_brand is null then s.payment_method_expires else excluded.payment_method_expires
    end,
    pending_price_id = excluded.pending_price_id,
    pending_from = excluded.pending_from,
    pending_change_id = excluded.pending_change_id;
  perform private.billing_elect_current(customer);
  update private.billing_attempts a
  set state = case when new_status in ('active', 'trialing') then 'paid' else 'failed' end,
    updated_at = clock_timestamp()
  where a.subscription_id = subscription and a.state not in ('paid', 'failed')
    and new_status in ('active', 'trialing', 'canceled', 'incomplete_expired');
  perform private.set_role_from_plan(member, private.plan_role(member));
  return 'applied';
end
$function$;
comment on function private.billing_apply(bigint,jsonb,text,text) is 'Writes one reading of a subscription, with its event id and the role it gives: applied, stale, duplicate or unknown_customer.';
grant execute on function private.billing_apply(bigint,jsonb,text,text) to service_role;

CREATE OR REPLACE FUNCTION private.billing_drop_customer(customer text, event text, event_type text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  member uuid;
begin
  if event is not null and not private.billing_note_event(event, event_type) then
    return false;
  end if;
  update public.stripe_customers c set deleted_at = now()
  where c.customer_id = customer and c.deleted_at is null
  returning c.user_id into member;
  if not found then
    return false;
  end if;
  perform private.set_role_from_plan(member, private.plan_role(member));
  return true;
end
$function$;
comment on function private.billing_drop_customer(text,text,text) is 'Marks a customer as deleted at the provider; false when it was marked before.';
grant execute on function private.billing_drop_customer(text,text,text) to service_role;

CREATE OR REPLACE FUNCTION public.billing_drop_customer(customer text, event text DEFAULT NULL::text, event_type text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_drop_customer(customer, event, event_type) $function$;
comment on function public.billing_drop_customer(text,text,text) is 'Server: a customer was deleted at the provider.';
grant execute on function public.billing_drop_customer(text,text,text) to service_role;

CREATE OR REPLACE FUNCTION public.billing_draw_ticket(event text DEFAULT NULL::text)
 RETURNS bigint
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_draw_ticket(event) $function$;
comment on function public.billing_draw_ticket(text) is 'Server: draw a ticket before reading the provider.';
grant execute on function public.billing_draw_ticket(text) to service_role;

CREATE OR REPLACE FUNCTION public.billing_apply(ticket bigint, snapshot jsonb, event text DEFAULT NULL::text, event_type text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_apply(ticket, snapshot, event, event_type) $function$;
comment on function public.billing_apply(bigint,jsonb,text,text) is 'Server: write one reading of a subscription.';
grant execute on function public.billing_apply(bigint,jsonb,text,text) to service_role;

-- billing failures

create table private.billing_failures (
  event_id text not null,
  event_type text not null,
  attempts integer default 1 not null,
  first_failed_at timestamp with time zone default now() not null,
  last_failed_at timestamp with time zone default now() not null,
  last_error text not null,
  constraint billing_failures_pkey PRIMARY KEY (event_id)
);
comment on table private.billing_failures is 'Webhook events that could not be applied, kept for two months. One that billing_events has was applied since.';
CREATE INDEX billing_failures_last_failed_at_idx ON private.billing_failures USING btree (last_failed_at);
alter table private.billing_failures enable row level security;

CREATE OR REPLACE FUNCTION private.billing_note_failure(event text, event_type text, error text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.billing_failures as f (event_id, event_type, last_error)
  values (event, event_type, left(error, 500))
  on conflict (event_id) do update set
    attempts = f.attempts + 1, last_failed_at = now(), last_error = excluded.last_error
$function$;
comment on function private.billing_note_failure(text,text,text) is 'Records that an event could not be applied.';
grant execute on function private.billing_note_failure(text,text,text) to service_role;

CREATE OR REPLACE FUNCTION public.billing_note_failure(event text, event_type text, error text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_note_failure(event, event_type, error) $function$;
comment on function public.billing_note_failure(text,text,text) is 'Server: an event could not be applied.';
grant execute on function public.billing_note_failure(text,text,text) to service_role;

-- billing reconcile

create table private.billing_checks (
  customer_id text not null,
  checked_at timestamp with time zone not null,
  constraint billing_checks_pkey PRIMARY KEY (customer_id),
  constraint billing_checks_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.stripe_customers(customer_id) ON UPDATE CASCADE ON DELETE CASCADE
);
comment on table private.billing_checks is 'Last comparison of each customer with the card provider.';
comment on column private.billing_checks.checked_at is '-infinity after a restore from a backup: to be compared whatever its state.';
alter table private.billing_checks enable row level security;

create table private.billing_customers_to_delete (
  customer_id text not null,
  departed_at timestamp with time zone default now() not null,
  constraint billing_customers_to_delete_pkey PRIMARY KEY (customer_id)
);
comment on table private.billing_customers_to_delete is 'Customers of deleted accounts that must still be deleted at the card provider.';
alter table private.billing_customers_to_delete enable row level security;

CREATE OR REPLACE FUNCTION private.tg_stripe_customers__remember_departed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if old.deleted_at is null then
    insert into private.billing_customers_to_delete (customer_id) values (old.customer_id) on conflict do nothing;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.billing_customers_to_delete()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select d.customer_id from private.billing_customers_to_delete d order by d.departed_at limit 100
$function$;
comment on function private.billing_customers_to_delete() is 'Customers to delete at the card provider, oldest first.';
grant execute on function private.billing_customers_to_delete() to service_role;

CREATE OR REPLACE FUNCTION private.billing_forget_departed(customer text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.billing_customers_to_delete d where d.customer_id = customer
$function$;
comment on function private.billing_forget_departed(text) is 'Forgets a customer that was deleted at the card provider.';
grant execute on function private.billing_forget_departed(text) to service_role;

CREATE OR REPLACE FUNCTION private.billing_take_due(all_customers boolean, batch integer)
 RETURNS TABLE(customer_id text, fresh_attempts jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    with due as (
      select c.customer_id, c.user_id from public.stripe_customers c
      left join private.billing_checks k on k.customer_id = c.customer_id
      left join public.stripe_subscriptions s on s.customer_id = c.customer_id and s.deleted_at is null
      where c.deleted_at is null and (
        all_customers
        -- Restored from a backup: whatever its state was then.
        or k.checked_at = '-infinity'
        -- A purchase that must be finished by now, or was left open.
        or exists (
          select from private.billing_attempts a where a.user_id = c.user_id
            and (a.state in ('unknown', 'needs_action', 'abandoned')
              or a.state = 'working' and a.lease_until < now()
              or a.updated_at > coalesce(k.checked_at, '-infinity') and a.state <> 'working')
        )
        -- A renewal whose webhook is missing.
        or s.status in ('active', 'trialing') and s.current_period_end < extract(epoch from now())
        -- A temporary status is compared every hour, a live one every day.
        or s.status in ('incomplete', 'past_due', 'unpaid', 'paused')
          and coalesce(k.checked_at, '-infinity') < now() - interval '1 hour'
        or s.status in ('active', 'trialing') and coalesce(k.checked_at, '-infinity') < now() - interval '1 day'
      )
      order by k.checked_at nulls first, c.customer_id
      limit batch
      for update of c skip locked
    ),
    taken as (
      insert into private.billing_checks as k (customer_id, checked_at)
      select d.customer_id, now() from due d
      on conflict on constraint billing_checks_pkey do update set checked_at = excluded.checked_at
      returning k.customer_id
    )
    select d.customer_id, (
      select coalesce(jsonb_agg(a.id), '[]') from private.billing_attempts a
      where a.user_id = d.user_id
        and (a.state = 'working' and a.lease_until > now()
          or a.state in ('unknown', 'needs_action') and a.updated_at > now() - interval '1 hour')
    )
    from due d join taken t on t.customer_id = d.customer_id;
end
$function$;
comment on function private.billing_take_due(boolean,integer) is 'Customers to compare with the provider now, with their attempts that must not be closed.';
grant execute on function private.billing_take_due(boolean,integer) to service_role;

CREATE OR REPLACE FUNCTION private.billing_close_attempts(customer text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.billing_attempts a set state = 'failed', updated_at = clock_timestamp()
  from public.stripe_customers c
  where c.customer_id = customer and a.user_id = c.user_id
    and (a.state = 'abandoned'
      or a.state = 'working' and a.lease_until < now()
      or a.state in ('unknown', 'needs_action') and a.updated_at < now() - interval '1 hour')
$function$;
comment on function private.billing_close_attempts(text) is 'Closes the attempts of a reconciled customer.';
grant execute on function private.billing_close_attempts(text) to service_role;

CREATE OR REPLACE FUNCTION private.billing_audit(customer text, action text, detail jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  member uuid;
  entry jsonb := detail || jsonb_build_object('customer_id', customer);
begin
  select c.user_id into member from public.stripe_customers c where c.customer_id = customer for update;
  if not exists (
    select from private.audit_log a where a.subject = member and a.action = billing_audit.action and a.detail = entry
  ) then
    perform private.audit(null, action, member, entry);
  end if;
end
$function$;
comment on function private.billing_audit(text,text,jsonb) is 'Adds an entry about a customer to the audit log.';
grant execute on function private.billing_audit(text,text,jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.billing_purge()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.billing_events e where e.applied_at < now() - interval '60 days';
  delete from private.billing_attempts a
  where a.state in ('paid', 'failed') and a.updated_at < now() - interval '60 days';
  delete from private.billing_failures f where f.last_failed_at < now() - interval '60 days';
  delete from private.billing_reads r where not exists (
    select from public.stripe_subscriptions s where s.subscription_id = r.subscription_id
  );
  delete from private.plan_change_quotes q where q.created_at < now() - interval '1 day';
end
$function$;
comment on function private.billing_purge() is 'Deletes event ids and finished attempts older than 60 days, previews older than a day, and readings of deleted accounts.';
grant execute on function private.billing_purge() to service_role;

CREATE OR REPLACE FUNCTION public.billing_customers_to_delete()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.billing_customers_to_delete() $function$;
comment on function public.billing_customers_to_delete() is 'Server: customers to delete at the provider.';
grant execute on function public.billing_customers_to_delete() to service_role;

CREATE OR REPLACE FUNCTION public.billing_forget_departed(customer text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_forget_departed(customer) $function$;
comment on function public.billing_forget_departed(text) is 'Server: a departed customer was deleted.';
grant execute on function public.billing_forget_departed(text) to service_role;

CREATE OR REPLACE FUNCTION public.billing_take_due(all_customers boolean DEFAULT false, batch integer DEFAULT 100)
 RETURNS TABLE(customer_id text, fresh_attempts jsonb)
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select * from private.billing_take_due(all_customers, batch) $function$;
comment on function public.billing_take_due(boolean,integer) is 'Server: customers to compare with the provider.';
grant execute on function public.billing_take_due(boolean,integer) to service_role;

CREATE OR REPLACE FUNCTION public.billing_close_attempts(customer text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_close_attempts(customer) $function$;
comment on function public.billing_close_attempts(text) is 'Server: close settled attempts of a customer.';
grant execute on function public.billing_close_attempts(text) to service_role;

CREATE OR REPLACE FUNCTION public.billing_audit(customer text, action text, detail jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_audit(customer, action, detail) $function$;
comment on function public.billing_audit(text,text,jsonb) is 'Server: audit a change made by the reconciliation.';
grant execute on function public.billing_audit(text,text,jsonb) to service_role;

CREATE OR REPLACE FUNCTION public.billing_purge()
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_purge() $function$;
comment on function public.billing_purge() is 'Server: delete old events and attempts.';
grant execute on function public.billing_purge() to service_role;

-- figures

CREATE OR REPLACE FUNCTION private.dashboard_figures()
 RETURNS TABLE(level integer, effective_level integer, onboarding_complete boolean, member_since timestamp with time zone, likes_received integer, lessons_completed integer, affiliate_links integer, profits_pence integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
begin
  return query
    select
      coalesce((select l.current_level from public.user_levels l where l.user_id = caller), 0),
      private.effective_level(caller),
      coalesce((select p.onboarding_complete from public.profiles p where p.id = caller), false),
      (select u.created_at from auth.users u where u.id = caller),
      private.likes_received(caller),
      (select count(*)::integer from public.module_completions c where c.user_id = caller),
      (select count(*)::integer from private.affiliates a join private.referrals r on r.affiliate_id = a.affiliate_id where a.user_id = caller),
      coalesce((
        select (b.pending_pence + b.payable_pence + b.paid_pence)::integer
        from private.affiliates a join private.affiliate_balances b on b.affiliate_id = a.affiliate_id where a.user_id = caller
      ), 0);
end
$function$;
comment on function private.dashboard_figures() is 'One row of figures about the calling account.';
grant execute on function private.dashboard_figures() to authenticated;

CREATE OR REPLACE FUNCTION public.dashboard_figures()
 RETURNS TABLE(level integer, effective_level integer, onboarding_complete boolean, member_since timestamp with time zone, likes_received integer, lessons_completed integer, affiliate_links integer, profits_pence integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select * from private.dashboard_figures()
$function$;
comment on function public.dashboard_figures() is 'The caller''s own dashboard figures, one row; money in pence.';
grant execute on function public.dashboard_figures() to authenticated;

CREATE OR REPLACE FUNCTION private.export_account_data()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
begin
  return jsonb_build_object(
    'exported_at', now(),
    'account', jsonb_build_object('id', caller, 'email', auth.jwt() ->> 'email'),
    'profile', (select to_jsonb(p) from public.profiles p where p.id = caller),
    'customers', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.created_at) from public.stripe_customers c where c.user_id = caller
    ), '[]'),
    'subscriptions', coalesce((
      select jsonb_agg(to_jsonb(s) order by s.created_at) from public.stripe_subscriptions s
      join public.stripe_customers c on c.customer_id = s.customer_id where c.user_id = caller
    ), '[]'),
    'onboarding_progress', (select to_jsonb(o) from public.onboarding_progress o where o.user_id = caller),
    'onboarding_responses', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.page_number, r.question)
      from public.onboarding_responses r where r.user_id = caller
    ), '[]'),
    'verifications', coalesce((
      select jsonb_agg(to_jsonb(v) order by v.submitted_at) from public.user_verifications v where v.user_id = caller
    ), '[]'),
    'level', (select to_jsonb(l) from public.user_levels l where l.user_id = caller),
    'progress', (select to_jsonb(g) from public.user_progress g where g.user_id = caller)
  );
end
$function$;
comment on function private.export_account_data() is 'Account, membership, onboarding, verification and level of the caller.';
grant execute on function private.export_account_data() to authenticated;

-- document purge

CREATE OR REPLACE FUNCTION private.verification_documents_due(after text, batch integer)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select o.name from storage.objects o
  left join public.user_verifications v on v.document_url = o.name
  where o.bucket_id = 'verification-documents' and o.name > after
    -- Uploads that were never submitted, or whose account is gone, have no decision to wait for.
    and case when v.id is null then o.created_at else v.reviewed_at end < now() - interval '30 days'
  order by o.name
  limit batch
$function$;
comment on function private.verification_documents_due(text,integer) is 'Documents whose decision is more than 30 days old, or whose upload if they were never submitted; by name, after the given one.';
grant execute on function private.verification_documents_due(text,integer) to service_role;

CREATE OR REPLACE FUNCTION private.record_deleted_documents(documents text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.audit(
    null, 'verification.document_deleted', v.user_id,
    jsonb_strip_nulls(jsonb_build_object('verification_id', v.id, 'document', d.name))
  )
  from unnest(documents) as d (name)
  left join public.user_verifications v on v.document_url = d.name;
end
$function$;
comment on function private.record_deleted_documents(text[]) is 'Adds an entry to the audit log for each document that was removed.';
grant execute on function private.record_deleted_documents(text[]) to service_role;

CREATE OR REPLACE FUNCTION public.verification_documents_due(after text DEFAULT ''::text, batch integer DEFAULT 100)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.verification_documents_due(after, batch) $function$;
comment on function public.verification_documents_due(text,integer) is 'Server: identity documents to delete now.';
grant execute on function public.verification_documents_due(text,integer) to service_role;

CREATE OR REPLACE FUNCTION public.record_deleted_documents(documents text[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_deleted_documents(documents) $function$;
comment on function public.record_deleted_documents(text[]) is 'Server: these identity documents were deleted.';
grant execute on function public.record_deleted_documents(text[]) to service_role;

-- progress ledger

create table public.level_requirements (
  level integer not null,
  kind text not null,
  category text,
  needed integer not null,
  constraint level_requirements_pkey PRIMARY KEY (level, kind),
  constraint level_requirements_category_check CHECK ((category = ANY (ARRAY['general'::text, 'business'::text, 'wealth'::text]))),
  constraint level_requirements_kind_check CHECK ((kind = ANY (ARRAY['rooms'::text, 'submissions'::text, 'engagements'::text, 'articles'::text, 'courses'::text]))),
  constraint level_requirements_level_check CHECK (((level >= 1) AND (level <= 4))),
  constraint level_requirements_needed_check CHECK ((needed > 0)),
  constraint level_requirements_shelf_check CHECK (((kind = ANY (ARRAY['articles'::text, 'courses'::text])) = (category IS NOT NULL)))
);
comment on table public.level_requirements is 'What a member has to do to complete a level.';
comment on column public.level_requirements.category is 'Main category that counts, for articles and courses only.';
alter table public.level_requirements enable row level security;
grant delete, insert, select, update on public.level_requirements to service_role;
grant select (level, kind, category, needed) on public.level_requirements to authenticated;

create policy select_all on public.level_requirements for select to authenticated
  using (true);

create table private.progress_ledger (
  id bigint generated always as identity not null,
  user_id uuid not null,
  kind text not null,
  category text,
  reference text not null,
  happened_at timestamp with time zone default now() not null,
  constraint progress_ledger_once UNIQUE (user_id, kind, reference),
  constraint progress_ledger_pkey PRIMARY KEY (id),
  constraint progress_ledger_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint progress_ledger_category_check CHECK ((category = ANY (ARRAY['general'::text, 'business'::text, 'wealth'::text]))),
  constraint progress_ledger_kind_check CHECK ((kind = ANY (ARRAY['room_opened'::text, 'submission'::text, 'message'::text, 'like'::text, 'article_read'::text, 'course_completed'::text]))),
  constraint progress_ledger_reference_check CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 100))),
  constraint progress_ledger_shelf_check CHECK (((kind = ANY (ARRAY['article_read'::text, 'course_completed'::text])) = (category IS NOT NULL)))
);
comment on table private.progress_ledger is 'Progress events of members, oldest first. Rows are only added; they go with their account.';
comment on column private.progress_ledger.reference is 'Id of the room, submission, message, article or course.';
CREATE INDEX progress_ledger_user_id_idx ON private.progress_ledger USING btree (user_id, id DESC);
alter table private.progress_ledger enable row level security;
CREATE TRIGGER progress_ledger__append_only BEFORE DELETE OR UPDATE ON private.progress_ledger FOR EACH ROW EXECUTE FUNCTION private.tg_progress_ledger__append_only();

CREATE OR REPLACE FUNCTION private.tg_progress_ledger__append_only()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'DELETE' and not exists (select from auth.users u where u.id = old.user_id) then
    return old;
  end if;
  raise exception 'the progress ledger only grows';
end
$function$;

create table public.level_completions (
  user_id uuid not null,
  level integer not null,
  completed_at timestamp with time zone default now() not null,
  constraint level_completions_pkey PRIMARY KEY (user_id, level),
  constraint level_completions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint level_completions_level_check CHECK (((level >= 1) AND (level <= 4)))
);
comment on table public.level_completions is 'When each level was completed. A row for level 4 means that all levels are complete.';
alter table public.level_completions enable row level security;
grant delete, insert, select, update on public.level_completions to service_role;
grant select (user_id, level, completed_at) on public.level_completions to authenticated;

create policy select_own on public.level_completions for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

create table private.engagement_histogram (
  bucket integer not null,
  members integer not null,
  constraint engagement_histogram_pkey PRIMARY KEY (bucket),
  constraint engagement_histogram_members_check CHECK ((members >= 0))
);
comment on table private.engagement_histogram is 'Members by engagements; kept by triggers on user_progress.';
comment on column private.engagement_histogram.bucket is 'Result of engagement_bucket for the number of engagements.';
alter table private.engagement_histogram enable row level security;

CREATE OR REPLACE FUNCTION private.engagement_bucket(engagements integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case
    when engagements <= 512 then engagements
    else 512 + floor(64 * ln(engagements / 512.0::double precision) / ln(2::double precision))::integer
  end
$function$;
comment on function private.engagement_bucket(integer) is 'Bucket of a number of engagements: one for each number up to 512, then 64 for each doubling, which limits their number.';

CREATE OR REPLACE FUNCTION private.tg_user_progress__count_engagements()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  left_bucket integer := case when tg_op <> 'INSERT' then private.engagement_bucket(old.message_engagements) end;
  new_bucket integer := case when tg_op <> 'DELETE' then private.engagement_bucket(new.message_engagements) end;
begin
  if left_bucket is not distinct from new_bucket then
    return null;
  end if;
  -- Engagements only grow, so every transaction locks these rows in ascending order, which rules out deadlocks.
  if left_bucket is not null then
    update private.engagement_histogram h set members = h.members - 1 where h.bucket = left_bucket;
  end if;
  if new_bucket is not null then
    insert into private.engagement_histogram as h (bucket, members) values (new_bucket, 1)
    on conflict (bucket) do update set members = h.members + 1;
  end if;
  return null;
end
$function$;

-- level engine

CREATE OR REPLACE FUNCTION private.tg_user_progress__start()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.current_level := coalesce(
    (select l.current_level from public.user_levels l where l.user_id = new.user_id), new.current_level
  );
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_user_levels__mirror()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.user_progress p set current_level = new.current_level
  where p.user_id = new.user_id and p.current_level <> new.current_level;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.progress_count(progress public.user_progress, kind text, category text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case kind
    when 'rooms' then cardinality(progress.chat_rooms_opened)
    when 'submissions' then progress.learning_submissions
    when 'engagements' then progress.message_engagements
    when 'articles' then coalesce(jsonb_array_length(progress.articles_read_by_category -> category), 0)
    when 'courses' then coalesce(jsonb_array_length(progress.courses_completed_by_category -> category), 0)
  end
$function$;
comment on function private.progress_count(public.user_progress,text,text) is 'A member''s count for one kind of requirement.';

CREATE OR REPLACE FUNCTION private.meets_level(progress public.user_progress, wanted integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(bool_and(private.progress_count(progress, r.kind, r.category) >= r.needed), false)
  from public.level_requirements r where r.level = wanted
$function$;
comment on function private.meets_level(public.user_progress,integer) is 'True when all requirements of a level are met.';

CREATE OR REPLACE FUNCTION private.raise_level(member uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  progress public.user_progress;
  started integer;
  reached integer;
  completed boolean := false;
begin
  select p.* into progress from public.user_progress p where p.user_id = member for update;
  select l.current_level into started from public.user_levels l where l.user_id = member for update;
  started := coalesce(started, 1);
  reached := started;
  while private.meets_level(progress, reached) loop
    insert into public.level_completions (user_id, level) values (member, reached) on conflict do nothing;
    completed := completed or found;
    exit when reached = 4;
    reached := reached + 1;
  end loop;
  if completed then
    update public.user_progress set level_completed_at = now() where user_id = member;
  end if;
  if reached > started then
    insert into public.user_levels as l (user_id, current_level, unlocked_levels)
    values (member, reached, array(select generate_series(0, reached)))
    on conflict (user_id) do update set
      current_level = excluded.current_level, unlocked_levels = excluded.unlocked_levels;
  end if;
end
$function$;
comment on function private.raise_level(uuid) is 'Raises a member past every level whose requirements are met; records each completion once.';

CREATE OR REPLACE FUNCTION private.record_progress_event(member uuid, kind text, reference text, category text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.user_progress p where p.user_id = member for update;
  if not found then
    insert into public.user_progress (user_id) values (member) on conflict do nothing;
    perform from public.user_progress p where p.user_id = member for update;
  end if;
  insert into private.progress_ledger (user_id, kind, reference, category)
  values (member, record_progress_event.kind, record_progress_event.reference, record_progress_event.category)
  on conflict on constraint progress_ledger_once do nothing;
  if not found then
    return false;
  end if;
  case record_progress_event.kind
    when 'room_opened' then
      null; -- Counted below, with the rooms of the ledger.
    when 'submission' then
      update public.user_progress p set learning_submissions = p.learning_submissions + 1 where p.user_id = member;
    when 'article_read' then
      update public.user_progress p
      set articles_read_by_category = private.append_to_list(p.articles_read_by_category, record_progress_event.category, reference)
      where p.user_id = member;
    when 'course_completed' then
      update public.user_progress p
      set courses_completed_by_category =
        private.append_to_list(p.courses_completed_by_category, record_progress_event.category, reference)
      where p.user_id = member;
    else
      update public.user_progress p set message_engagements = p.message_engagements + 1 where p.user_id = member;
  end case;
  perform private.count_opened_rooms(member);
  perform private.raise_level(member);
  return true;
end
$function$;
comment on function private.record_progress_event(uuid,text,text,text) is 'Records a progress event and updates counters and level; false when it was recorded before. For triggers only.';

CREATE OR REPLACE FUNCTION private.append_to_list(lists jsonb, key text, entry text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select jsonb_set(lists, array[key], coalesce(lists -> key, '[]') || to_jsonb(entry))
$function$;
comment on function private.append_to_list(jsonb,text,text) is 'The map of lists with an entry appended to one list.';

-- rate limits

create table private.rate_limits (
  action text not null,
  max_count integer not null,
  period interval not null,
  constraint rate_limits_pkey PRIMARY KEY (action),
  constraint rate_limits_max_count_check CHECK ((max_count > 0)),
  constraint rate_limits_period_check CHECK ((period > '00:00:00'::interval))
);
comment on table private.rate_limits is 'How many times an account may do something within any period of that length.';
alter table private.rate_limits enable row level security;

create table private.rate_usage (
  user_id uuid not null,
  action text not null,
  recent timestamp with time zone[] default '{}'::timestamp with time zone[] not null,
  constraint rate_usage_pkey PRIMARY KEY (user_id, action),
  constraint rate_usage_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table private.rate_usage is 'Recent uses of limited actions, one row for each account and action.';
comment on column private.rate_usage.recent is 'Times of the uses within the period, oldest first, at most max_count.';
alter table private.rate_usage enable row level security;

CREATE OR REPLACE FUNCTION private.enforce_rate_limit(member uuid, action text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  allowed private.rate_limits;
  used timestamptz[];
  at timestamptz;
begin
  select l.* into allowed from private.rate_limits l where l.action = enforce_rate_limit.action;
  if not found then
    raise exception 'there is no limit called %', enforce_rate_limit.action;
  end if;
  select u.recent into used from private.rate_usage u
  where u.user_id = member and u.action = enforce_rate_limit.action for update;
  if not found then
    insert into private.rate_usage (user_id, action) values (member, enforce_rate_limit.action) on conflict do nothing;
    select u.recent into used from private.rate_usage u
    where u.user_id = member and u.action = enforce_rate_limit.action for update;
  end if;
  at := clock_timestamp();
  used := array(select t from unnest(used) t where t > at - allowed.period order by t);
  if cardinality(used) >= allowed.max_count then
    perform private.fail(
      'FF300', 'You are going too fast. Wait a moment and try again.',
      ceil(extract(epoch from used[cardinality(used) - allowed.max_count + 1] + allowed.period - at))::text
    );
  end if;
  update private.rate_usage u set recent = used || at
  where u.user_id = member and u.action = enforce_rate_limit.action;
end
$function$;
comment on function private.enforce_rate_limit(uuid,text) is 'Counts one use of a limited action; raises FF300 above the limit, with the seconds to wait as detail.';

CREATE OR REPLACE FUNCTION private.enforce_function_rate_limit(member uuid, action text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if action is null or action not in (
    'create_customer', 'purchase', 'change_renewal', 'change_plan', 'update_card', 'delete_account', 'preview_code'
  ) then
    raise exception 'no function has a limit called %', action;
  end if;
  perform private.enforce_rate_limit(member, action);
end
$function$;
comment on function private.enforce_function_rate_limit(uuid,text) is 'Counts one call of an edge function by an account; raises FF300 above the limit.';
grant execute on function private.enforce_function_rate_limit(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION public.enforce_function_rate_limit(member uuid, action text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.enforce_function_rate_limit(member, action) $function$;
comment on function public.enforce_function_rate_limit(uuid,text) is 'Server: count one call of an edge function by an account; raises FF300 above the limit.';
grant execute on function public.enforce_function_rate_limit(uuid,text) to service_role;

-- progress reports

CREATE OR REPLACE FUNCTION private.engagement_label(engagements integer, percentile numeric)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case
    when percentile >= 95 then 'Top 5% Elite'
    when percentile >= 90 then 'Top 10% Engager'
    when percentile >= 75 then 'Top 25% Active'
    when percentile >= 50 then 'Above Average'
    when percentile >= 25 then 'Active Member'
    when engagements > 0 then 'Getting Started'
    else 'New Member'
  end
$function$;
comment on function private.engagement_label(integer,numeric) is 'Name of an engagement rank.';

CREATE OR REPLACE FUNCTION private.engagement_rank()
 RETURNS TABLE(engagements integer, percentile numeric, members integer, label text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  own_bucket integer;
  below bigint;
begin
  select p.message_engagements into engagements from public.user_progress p where p.user_id = caller;
  own_bucket := private.engagement_bucket(engagements);
  select coalesce(sum(h.members) filter (where h.bucket < own_bucket), 0),
    coalesce(sum(h.members), 0)
  into below, members
  from private.engagement_histogram h;
  -- A caller without a row is not counted in the histogram yet.
  if engagements is null then
    engagements := 0;
    members := members + 1;
  end if;
  -- Truncated, not rounded, so that the percentage never reaches a label's threshold too early.
  percentile := trunc(100.0 * below / greatest(members, 1), 2);
  label := private.engagement_label(engagements, percentile);
  return next;
end
$function$;
comment on function private.engagement_rank() is 'Where the caller stands among all members by engagements, one row.';
grant execute on function private.engagement_rank() to authenticated;

CREATE OR REPLACE FUNCTION public.engagement_rank()
 RETURNS TABLE(engagements integer, percentile numeric, members integer, label text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select * from private.engagement_rank()
$function$;
comment on function public.engagement_rank() is 'The caller''s engagements, the percentage of all members with fewer, the number of members, and the rank''s name.';
grant execute on function public.engagement_rank() to authenticated;

CREATE OR REPLACE FUNCTION private.progress_history(days integer)
 RETURNS TABLE(day date, rooms integer, submissions integer, engagements integer, articles integer, courses integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  first_day date := (now() at time zone 'utc')::date - least(greatest(coalesce(days, 90), 1), 366) + 1;
begin
  return query
    select (l.happened_at at time zone 'utc')::date,
      count(*) filter (where l.kind = 'room_opened')::integer,
      count(*) filter (where l.kind = 'submission')::integer,
      count(*) filter (where l.kind in ('message', 'like'))::integer,
      count(*) filter (where l.kind = 'article_read')::integer,
      count(*) filter (where l.kind = 'course_completed')::integer
    from private.progress_ledger l
    where l.user_id = caller and l.happened_at >= first_day::timestamp at time zone 'utc'
    group by 1 order by 1;
end
$function$;
comment on function private.progress_history(integer) is 'The caller''s progress events by day (UTC), oldest first, only days with any.';
grant execute on function private.progress_history(integer) to authenticated;

CREATE OR REPLACE FUNCTION public.progress_history(days integer DEFAULT 90)
 RETURNS TABLE(day date, rooms integer, submissions integer, engagements integer, articles integer, courses integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select * from private.progress_history(days)
$function$;
comment on function public.progress_history(integer) is 'Number of the caller''s progress events on each of the last days (UTC, at most 366), oldest first.';
grant execute on function public.progress_history(integer) to authenticated;

create type public.progress_event as (
  id bigint,
  kind text,
  category text,
  reference text,
  label text,
  path text,
  happened_at timestamp with time zone
);
comment on type public.progress_event is 'A progress event with the title and the path of its subject; both are null when the subject was deleted.';

CREATE OR REPLACE FUNCTION private.progress_event_subject(caller uuid, allowed integer, kind text, reference text)
 RETURNS TABLE(label text, path text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  case progress_event_subject.kind
    when 'room_opened' then
      return query select r.name, '/chats/' || r.id from public.chat_rooms r where r.id = reference;
    when 'submission' then
      return query select s.title, '/learning/submissions'
        from public.learning_submissions s where s.id = reference::uuid;
    when 'message', 'like' then
      return query select left(m.content, 140), '/chats/' || m.chat_room_id
        from public.chat_messages m join public.chat_rooms r on r.id = m.chat_room_id
        where m.id = reference::uuid and m.deleted_at is null
          and (m.user_id = caller or (r.is_active and r.min_level_required <= allowed));
    when 'article_read' then
      return query select a.title, private.shelf_path(c.main_category, 'foundations', c.slug) || '/' || a.id
        from public.articles a join public.subcategories c on c.id = a.subcategory_id
        where a.id = reference::uuid and a.is_published and c.is_active
          and private.category_level(c.main_category) <= allowed;
    when 'course_completed' then
      return query select o.title, private.shelf_path(c.main_category, 'courses', c.slug) || '/' || o.id
        from public.courses o join public.subcategories c on c.id = o.subcategory_id
        where o.id = reference::uuid and o.is_published and c.is_active
          and private.category_level(c.main_category) <= allowed;
  end case;
end
$function$;
comment on function private.progress_event_subject(uuid,integer,text,text) is 'Title and path of the subject of a progress event; no row when it was deleted or the caller''s level is too low.';

CREATE OR REPLACE FUNCTION private.shelf_path(category text, shelf text, slug text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select '/' || case category when 'general' then 'knowledge' else category end || '/' || shelf || '/' || slug
$function$;
comment on function private.shelf_path(text,text,text) is 'Path in the app of a subcategory''s articles or courses.';

CREATE OR REPLACE FUNCTION private.progress_evidence(kind text, category text, before_id bigint, page_size integer)
 RETURNS SETOF public.progress_event
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  allowed integer := private.effective_level(caller);
  wanted text[] := case progress_evidence.kind
    when 'rooms' then array['room_opened']
    when 'submissions' then array['submission']
    when 'engagements' then array['message', 'like']
    when 'articles' then array['article_read']
    when 'courses' then array['course_completed']
  end;
begin
  if wanted is null then
    perform private.fail('FF301', 'There is no such kind of progress.');
  end if;
  return query
    with page as (
      select l.* from private.progress_ledger l
      where l.user_id = caller and l.kind = any (wanted)
        and (progress_evidence.category is null or l.category = progress_evidence.category)
        and (before_id is null or l.id < before_id)
      order by l.id desc limit least(greatest(coalesce(page_size, 30), 1), 100)
    )
    select p.id, p.kind, p.category, p.reference, s.label, s.path, p.happened_at
    from page p left join lateral private.progress_event_subject(caller, allowed, p.kind, p.reference) s on true
    order by p.id desc;
end
$function$;
comment on function private.progress_evidence(text,text,bigint,integer) is 'The caller''s progress events of one kind, newest first.';
grant execute on function private.progress_evidence(text,text,bigint,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.progress_evidence(kind text, category text DEFAULT NULL::text, before_id bigint DEFAULT NULL::bigint, page_size integer DEFAULT 30)
 RETURNS SETOF public.progress_event
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select * from private.progress_evidence(kind, category, before_id, page_size)
$function$;
comment on function public.progress_evidence(text,text,bigint,integer) is 'The progress events behind one of the caller''s counters (rooms, submissions, engagements, articles, courses), newest first, paged by id.';
grant execute on function public.progress_evidence(text,text,bigint,integer) to authenticated;

-- chat rooms

create table public.chat_rooms (
  id text not null,
  name text not null,
  description text default ''::text not null,
  min_level_required integer not null,
  participant_count integer default 0 not null,
  is_active boolean default true not null,
  display_order integer default 0 not null,
  constraint chat_rooms_pkey PRIMARY KEY (id),
  constraint chat_rooms_description_check CHECK ((char_length(description) <= 300)),
  constraint chat_rooms_display_order_check CHECK (((display_order >= 0) AND (display_order <= 10000))),
  constraint chat_rooms_id_check CHECK (((id ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (char_length(id) <= 60))),
  constraint chat_rooms_min_level_required_check CHECK (((min_level_required >= 1) AND (min_level_required <= 4))),
  constraint chat_rooms_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
  constraint chat_rooms_participant_count_check CHECK ((participant_count >= 0))
);
comment on table public.chat_rooms is 'Chat rooms and the level each one opens at.';
comment on column public.chat_rooms.id is 'Slug in the URL, such as accountability.';
comment on column public.chat_rooms.participant_count is 'Members in the room now: the number of its leases, kept by triggers.';
comment on column public.chat_rooms.is_active is 'A room that is not active is not listed and cannot be entered.';
comment on column public.chat_rooms.display_order is 'Place among the rooms of its level; rooms with the same place are listed by name.';
alter table public.chat_rooms enable row level security;
grant delete, insert, select, update on public.chat_rooms to service_role;
grant select (id, name, description, min_level_required, participant_count, is_active, display_order) on public.chat_rooms to authenticated;
CREATE TRIGGER chat_rooms__announce_created AFTER INSERT ON public.chat_rooms FOR EACH ROW EXECUTE FUNCTION private.tg_chat_rooms__announce();
CREATE TRIGGER chat_rooms__announce_edited AFTER UPDATE ON public.chat_rooms FOR EACH ROW WHEN ((((((old.name IS DISTINCT FROM new.name) OR (old.description IS DISTINCT FROM new.description)) OR (old.min_level_required IS DISTINCT FROM new.min_level_required)) OR (old.display_order IS DISTINCT FROM new.display_order)) OR (old.is_active IS DISTINCT FROM new.is_active))) EXECUTE FUNCTION private.tg_chat_rooms__announce();
CREATE TRIGGER chat_rooms__index AFTER INSERT OR UPDATE OF name, description, min_level_required, is_active ON public.chat_rooms FOR EACH ROW EXECUTE FUNCTION private.tg_chat_rooms__index();
CREATE TRIGGER chat_rooms__unindex AFTER DELETE ON public.chat_rooms FOR EACH ROW EXECUTE FUNCTION private.tg_chat_rooms__unindex();

CREATE OR REPLACE FUNCTION private.caller_room_ids()
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  allowed integer := private.effective_level(auth.uid());
begin
  return array(select r.id from public.chat_rooms r where r.is_active and r.min_level_required <= allowed);
end
$function$;
comment on function private.caller_room_ids() is 'Rooms the calling account may read and write in now.';
grant execute on function private.caller_room_ids() to authenticated;

CREATE OR REPLACE FUNCTION private.require_room(room text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  needed integer;
begin
  select r.min_level_required into needed from public.chat_rooms r where r.id = room and r.is_active;
  if not found then
    perform private.fail('FF310', 'There is no such room.');
  end if;
  if private.effective_level(caller) < needed then
    perform private.fail('FF311', 'This room is not open to you.', needed::text);
  end if;
  return caller;
end
$function$;
comment on function private.require_room(text) is 'The calling account if it may use the room now; raises FF310 or FF311 otherwise.';
grant execute on function private.require_room(text) to authenticated;

create table private.room_leases (
  user_id uuid not null,
  chat_room_id text not null,
  expires_at timestamp with time zone not null,
  constraint room_leases_pkey PRIMARY KEY (user_id, chat_room_id),
  constraint room_leases_chat_room_id_fkey FOREIGN KEY (chat_room_id) REFERENCES public.chat_rooms(id) ON DELETE CASCADE,
  constraint room_leases_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table private.room_leases is 'Members in rooms, one row each; chat_rooms.participant_count is their number.';
CREATE INDEX room_leases_chat_room_id_idx ON private.room_leases USING btree (chat_room_id);
CREATE INDEX room_leases_expires_at_idx ON private.room_leases USING btree (expires_at);
alter table private.room_leases enable row level security;
CREATE TRIGGER room_leases__announce_joined AFTER INSERT ON private.room_leases REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_room_leases__announce();
CREATE TRIGGER room_leases__announce_left AFTER DELETE ON private.room_leases REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_room_leases__announce();
CREATE TRIGGER room_leases__count_joined AFTER INSERT ON private.room_leases REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_room_leases__count();
CREATE TRIGGER room_leases__count_left AFTER DELETE ON private.room_leases REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_room_leases__count();
CREATE TRIGGER room_leases__record_progress_event AFTER INSERT ON private.room_leases FOR EACH ROW EXECUTE FUNCTION private.tg_room_leases__record_progress_event();

CREATE OR REPLACE FUNCTION private.tg_room_leases__count()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.chat_rooms r where r.id in (select c.chat_room_id from changed c)
    order by r.id for no key update;
  update public.chat_rooms r set participant_count = r.participant_count + sign * t.leases
  from (select c.chat_room_id, count(*)::integer as leases from changed c group by c.chat_room_id) t
  where r.id = t.chat_room_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_room_leases__record_progress_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.record_progress_event(new.user_id, 'room_opened', new.chat_room_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.join_room(room text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_room(room);
begin
  insert into private.room_leases (user_id, chat_room_id, expires_at)
  values (caller, room, clock_timestamp() + interval '90 seconds')
  on conflict (user_id, chat_room_id) do update set expires_at = excluded.expires_at;
end
$function$;
comment on function private.join_room(text) is 'Counts the caller in the room for the next 90 seconds.';
grant execute on function private.join_room(text) to authenticated;

CREATE OR REPLACE FUNCTION private.leave_room(room text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.room_leases l where l.user_id = private.require_caller() and l.chat_room_id = room;
end
$function$;
comment on function private.leave_room(text) is 'Ends the caller''s own lease; nothing happens when there is none.';
grant execute on function private.leave_room(text) to authenticated;

CREATE OR REPLACE FUNCTION public.increment_participant_count(room_id text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.join_room(room_id) $function$;
comment on function public.increment_participant_count(text) is 'The caller is in the room for the next 90 seconds; call again every 30 to stay.';
grant execute on function public.increment_participant_count(text) to authenticated;

CREATE OR REPLACE FUNCTION public.decrement_participant_count(room_id text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.leave_room(room_id) $function$;
comment on function public.decrement_participant_count(text) is 'The caller leaves the room. Further calls do nothing.';
grant execute on function public.decrement_participant_count(text) to authenticated;

CREATE OR REPLACE FUNCTION private.expire_room_leases()
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with due as materialized (
    select l.user_id, l.chat_room_id from private.room_leases l where l.expires_at < clock_timestamp()
    order by l.user_id, l.chat_room_id limit 10000 for update skip locked
  ), gone as (
    delete from private.room_leases l using due d
    where l.user_id = d.user_id and l.chat_room_id = d.chat_room_id returning 1
  )
  select count(*)::integer from gone
$function$;
comment on function private.expire_room_leases() is 'Deletes the expired leases and returns their number.';
grant execute on function private.expire_room_leases() to service_role;

CREATE OR REPLACE FUNCTION public.expire_room_leases()
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.expire_room_leases() $function$;
comment on function public.expire_room_leases() is 'Server: delete expired room leases; returns their number.';
grant execute on function public.expire_room_leases() to service_role;

-- chat messages

create table public.chat_messages (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  chat_room_id text not null,
  content text not null,
  message_type text default 'message'::text not null,
  parent_message_id uuid,
  like_count integer default 0 not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  edited_at timestamp with time zone,
  deleted_at timestamp with time zone,
  changed_at timestamp with time zone default clock_timestamp() not null,
  constraint chat_messages_pkey PRIMARY KEY (id),
  constraint chat_messages_chat_room_id_fkey FOREIGN KEY (chat_room_id) REFERENCES public.chat_rooms(id) ON DELETE CASCADE,
  constraint chat_messages_parent_message_id_fkey FOREIGN KEY (parent_message_id) REFERENCES public.chat_messages(id) ON DELETE SET NULL,
  constraint chat_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint chat_messages_content_check CHECK (
CASE
    WHEN (deleted_at IS NULL) THEN ((char_length(content) >= 1) AND (char_length(content) <= 4000))
    ELSE (content = ''::text)
END),
  constraint chat_messages_like_count_check CHECK ((like_count >= 0)),
  constraint chat_messages_message_type_check CHECK ((message_type = ANY (ARRAY['message'::text, 'reply'::text]))),
  constraint chat_messages_parent_check CHECK (((message_type = 'reply'::text) OR (parent_message_id IS NULL)))
);
comment on table public.chat_messages is 'Messages of all rooms. A deleted message keeps its row without its text.';
comment on column public.chat_messages.id is 'May be chosen by the client, so that sending again after a lost connection cannot create a duplicate.';
comment on column public.chat_messages.created_at is 'Set by the server.';
comment on column public.chat_messages.deleted_at is 'When its author or an administrator deleted it; its content is empty from then on.';
comment on column public.chat_messages.changed_at is 'When it was last written, edited, deleted, liked or unliked. Clients fetch later changes after a lost connection.';
CREATE INDEX chat_messages_changes_idx ON public.chat_messages USING btree (chat_room_id, changed_at, id);
CREATE INDEX chat_messages_parent_message_id_idx ON public.chat_messages USING btree (parent_message_id);
CREATE INDEX chat_messages_room_idx ON public.chat_messages USING btree (chat_room_id, created_at DESC, id);
CREATE INDEX chat_messages_user_id_idx ON public.chat_messages USING btree (user_id, created_at);
alter table public.chat_messages enable row level security;
grant delete, insert, select, update on public.chat_messages to service_role;
grant insert (id, user_id, chat_room_id, content, message_type, parent_message_id),
  select (id, user_id, chat_room_id, content, message_type, parent_message_id, like_count, created_at, edited_at, deleted_at, changed_at),
  update (like_count) on public.chat_messages to authenticated;
CREATE TRIGGER chat_messages__guard_insert BEFORE INSERT ON public.chat_messages FOR EACH ROW EXECUTE FUNCTION private.tg_chat_messages__guard_insert();
CREATE TRIGGER chat_messages__notify AFTER INSERT ON public.chat_messages FOR EACH ROW WHEN ((new.parent_message_id IS NOT NULL)) EXECUTE FUNCTION private.tg_chat_messages__notify();
CREATE TRIGGER chat_messages__record_progress_events AFTER INSERT ON public.chat_messages REFERENCING NEW TABLE AS said FOR EACH STATEMENT EXECUTE FUNCTION private.tg_chat_messages__record_progress_events();
CREATE TRIGGER chat_messages__stamp_change BEFORE UPDATE ON public.chat_messages FOR EACH ROW EXECUTE FUNCTION private.tg_chat_messages__stamp_change();
alter publication supabase_realtime add table public.chat_messages;

create policy select_open_room on public.chat_messages for select to authenticated
  using (((chat_room_id = ANY (( SELECT private.caller_room_ids() AS caller_room_ids)::text[])) AND ( SELECT private.session_is_live() AS session_is_live)));
comment on policy select_open_room on public.chat_messages is 'Accounts that may be in the room now. @authorizer private.chat_message_authorized_users';

CREATE OR REPLACE FUNCTION private.chat_message_authorized_users(message public.chat_messages, user_ids uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return array(
    select l.user_id from private.effective_levels l
    join public.chat_rooms r on r.id = message.chat_room_id and r.is_active and r.min_level_required <= l.level
    where l.user_id = any (user_ids)
  );
end
$function$;
comment on function private.chat_message_authorized_users(public.chat_messages,uuid[]) is 'The given accounts that may read the message now.';

create policy insert_own on public.chat_messages for insert to authenticated
  with check ((user_id = ( SELECT auth.uid() AS uid)));

CREATE OR REPLACE FUNCTION private.trimmed_message(content text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select btrim(content, E' \t\n\r\f\v\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'
    '\u2028\u2029\u202f\u205f\u3000\ufeff')
$function$;
comment on function private.trimmed_message(text) is 'The text without white space at its ends.';
grant execute on function private.trimmed_message(text) to authenticated;

CREATE OR REPLACE FUNCTION private.is_blank(content text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select content !~ ('[^\s\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
    '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb'
    '\U000e0000-\U000e0fff]')
$function$;
comment on function private.is_blank(text) is 'True when the text has no visible character.';
grant execute on function private.is_blank(text) to authenticated;

CREATE OR REPLACE FUNCTION private.require_message_text(content text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  trimmed text := private.trimmed_message(content);
begin
  if trimmed is null or private.is_blank(trimmed) then
    perform private.fail('FF312', 'A message needs some text.');
  end if;
  if char_length(trimmed) > 4000 then
    perform private.fail('FF313', 'A message has at most 4000 characters.', char_length(trimmed)::text);
  end if;
  return trimmed;
end
$function$;
comment on function private.require_message_text(text) is 'The trimmed text; raises FF312 when it is empty, FF313 when it is too long.';
grant execute on function private.require_message_text(text) to authenticated;

CREATE OR REPLACE FUNCTION private.require_message_allowed(message uuid, room text, parent uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_room(room);
begin
  if parent is not null and not exists (
    select from public.chat_messages m where m.id = parent and m.chat_room_id = room and m.deleted_at is null
  ) then
    perform private.fail('FF315', 'The message you are answering is no longer there.');
  end if;
  if not exists (select from public.chat_messages m where m.id = message and m.user_id = caller) then
    perform private.enforce_rate_limit(caller, 'message');
  end if;
end
$function$;
comment on function private.require_message_allowed(uuid,text,uuid) is 'Raises FF310, FF311, FF315 or FF300 unless the caller may send this message now.';
grant execute on function private.require_message_allowed(uuid,text,uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.tg_chat_messages__guard_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.user_id is distinct from auth.uid() then
    return new;
  end if;
  new.content := private.require_message_text(new.content);
  if (new.message_type = 'reply') is distinct from (new.parent_message_id is not null) then
    perform private.fail('FF314', 'A reply, and only a reply, names the message it answers.');
  end if;
  perform private.require_message_allowed(new.id, new.chat_room_id, new.parent_message_id);
  new.created_at := clock_timestamp();
  new.changed_at := new.created_at;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_chat_messages__stamp_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.changed_at := clock_timestamp();
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_chat_messages__record_progress_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.record_progress_event(s.user_id, 'message', s.id::text) from said s;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_visible_message(message uuid)
 RETURNS public.chat_messages
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found_message public.chat_messages;
begin
  select m.* into found_message from public.chat_messages m
  where m.id = message and m.deleted_at is null and m.chat_room_id = any (private.caller_room_ids())
  for no key update;
  if not found then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  return found_message;
end
$function$;
comment on function private.require_visible_message(uuid) is 'The message if the caller may read it and it is not deleted; raises FF316 otherwise.';

CREATE OR REPLACE FUNCTION private.edit_message(message uuid, new_content text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  kept text := private.require_message_text(new_content);
  edited public.chat_messages := private.require_visible_message(message);
begin
  if edited.user_id <> caller then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  if edited.content <> kept then
    perform private.enforce_rate_limit(caller, 'message');
    update public.chat_messages m set content = kept, edited_at = clock_timestamp() where m.id = message;
  end if;
end
$function$;
comment on function private.edit_message(uuid,text) is 'Changes the text of the caller''s own message.';
grant execute on function private.edit_message(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION private.delete_message(message uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  gone public.chat_messages;
begin
  select m.* into gone from public.chat_messages m
  where m.id = message and (m.user_id = caller or private.caller_is_admin()) for no key update;
  if not found then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  if gone.deleted_at is not null then
    return;
  end if;
  update public.chat_messages m set content = '', deleted_at = clock_timestamp() where m.id = message;
  if gone.user_id <> caller then
    perform private.audit(
      caller, 'message.deleted', gone.user_id,
      jsonb_build_object('message_id', gone.id, 'chat_room_id', gone.chat_room_id)
    );
  end if;
end
$function$;
comment on function private.delete_message(uuid) is 'Deletes the text of the caller''s own message, or of any message for administrators, audited. Repeating it does nothing.';
grant execute on function private.delete_message(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.edit_message(message_id uuid, new_content text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.edit_message(message_id, new_content) $function$;
comment on function public.edit_message(uuid,text) is 'Changes the text of the caller''s own message.';
grant execute on function public.edit_message(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.delete_message(message_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.delete_message(message_id) $function$;
comment on function public.delete_message(uuid) is 'Deletes the caller''s own message; administrators delete any.';
grant execute on function public.delete_message(uuid) to authenticated;

-- message likes

create table public.message_likes (
  user_id uuid not null,
  message_id uuid not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint message_likes_pkey PRIMARY KEY (user_id, message_id),
  constraint message_likes_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.chat_messages(id) ON DELETE CASCADE,
  constraint message_likes_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table public.message_likes is 'Likes of messages; chat_messages.like_count is their number.';
CREATE INDEX message_likes_message_id_idx ON public.message_likes USING btree (message_id);
alter table public.message_likes enable row level security;
grant delete on public.message_likes to authenticated;
grant delete, insert, select, update on public.message_likes to service_role;
grant insert (user_id, message_id),
  select (user_id, message_id, created_at) on public.message_likes to authenticated;
CREATE TRIGGER message_likes__add_progress_events AFTER INSERT ON public.message_likes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_message_likes__add_progress_events();
CREATE TRIGGER message_likes__count_liked AFTER INSERT ON public.message_likes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_message_likes__count();
CREATE TRIGGER message_likes__count_unliked AFTER DELETE ON public.message_likes REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_message_likes__count();
CREATE TRIGGER message_likes__guard_insert BEFORE INSERT ON public.message_likes FOR EACH ROW EXECUTE FUNCTION private.tg_message_likes__guard_insert();
CREATE TRIGGER message_likes__notify AFTER INSERT ON public.message_likes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_message_likes__notify();

create policy select_own on public.message_likes for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

create policy insert_own on public.message_likes for insert to authenticated
  with check ((user_id = ( SELECT auth.uid() AS uid)));

create policy delete_own on public.message_likes for delete to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

CREATE OR REPLACE FUNCTION private.require_like_allowed(message uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
begin
  if not exists (
    select from public.chat_messages m
    where m.id = message and m.deleted_at is null and m.chat_room_id = any (private.caller_room_ids())
  ) then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  if not exists (select from public.message_likes l where l.user_id = caller and l.message_id = message) then
    perform private.enforce_rate_limit(caller, 'like');
  end if;
end
$function$;
comment on function private.require_like_allowed(uuid) is 'Raises FF316 or FF300 unless the caller may like this message now.';
grant execute on function private.require_like_allowed(uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.tg_message_likes__guard_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- A row for another account is not changed: the policy refuses it next.
  if private.is_outside_caller() and new.user_id is not distinct from auth.uid() then
    perform private.require_like_allowed(new.message_id);
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_message_likes__add_progress_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.record_progress_event(c.user_id, 'like', c.message_id::text)
  from changed c join public.chat_messages m on m.id = c.message_id
  where m.user_id <> c.user_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_message_likes__count()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.chat_messages m where m.id in (select c.message_id from changed c)
    order by m.id for no key update;
  update public.chat_messages m set like_count = m.like_count + sign * t.likes
  from (select c.message_id, count(*)::integer as likes from changed c group by c.message_id) t
  where m.id = t.message_id;
  return null;
end
$function$;

-- room reading

create table public.chat_room_reads (
  user_id uuid not null,
  chat_room_id text not null,
  last_read_at timestamp with time zone not null,
  constraint chat_room_reads_pkey PRIMARY KEY (user_id, chat_room_id),
  constraint chat_room_reads_chat_room_id_fkey FOREIGN KEY (chat_room_id) REFERENCES public.chat_rooms(id) ON DELETE CASCADE,
  constraint chat_room_reads_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table public.chat_room_reads is 'How far each member has read; written through mark_room_read.';
CREATE INDEX chat_room_reads_chat_room_id_idx ON public.chat_room_reads USING btree (chat_room_id);
alter table public.chat_room_reads enable row level security;
grant delete, insert, select, update on public.chat_room_reads to service_role;
grant select (user_id, chat_room_id, last_read_at) on public.chat_room_reads to authenticated;

create policy select_own on public.chat_room_reads for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

CREATE OR REPLACE FUNCTION private.mark_room_read(room text, up_to timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_room(room);
begin
  insert into public.chat_room_reads as r (user_id, chat_room_id, last_read_at)
  values (caller, room, least(coalesce(up_to, clock_timestamp()), clock_timestamp()))
  on conflict (user_id, chat_room_id) do update set last_read_at = excluded.last_read_at
  where r.last_read_at < excluded.last_read_at;
end
$function$;
comment on function private.mark_room_read(text,timestamp with time zone) is 'Moves the caller''s mark forward, never back and never beyond now.';
grant execute on function private.mark_room_read(text,timestamp with time zone) to authenticated;

CREATE OR REPLACE FUNCTION public.mark_room_read(room_id text, up_to timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.mark_room_read(room_id, up_to) $function$;
comment on function public.mark_room_read(text,timestamp with time zone) is 'The caller has read the room up to this moment.';
grant execute on function public.mark_room_read(text,timestamp with time zone) to authenticated;

CREATE OR REPLACE FUNCTION private.unread_count(member uuid, room text)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  read_up_to timestamptz := coalesce(
    (select r.last_read_at from public.chat_room_reads r where r.user_id = member and r.chat_room_id = room),
    (select u.created_at from auth.users u where u.id = member)
  );
begin
  return (
    select count(*) from (
      select from public.chat_messages m
      where m.chat_room_id = room and m.created_at > read_up_to and m.user_id <> member and m.deleted_at is null
      order by m.created_at desc limit 99
    ) unread
  );
end
$function$;
comment on function private.unread_count(uuid,text) is 'Messages of others the member has not read, at most 99.';

CREATE OR REPLACE FUNCTION private.chat_room_overview()
 RETURNS TABLE(id text, name text, description text, min_level_required integer, participant_count integer, unread_count integer, last_message_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  open_rooms text[] := private.caller_room_ids();
  is_member boolean := private.caller_is_member();
begin
  return query
    select r.id, r.name, r.description, r.min_level_required,
      case when is_member then r.participant_count else 0 end,
      case when r.id = any (open_rooms) then private.unread_count(caller, r.id) else 0 end,
      case when r.id = any (open_rooms) then
        (select m.created_at from public.chat_messages m where m.chat_room_id = r.id order by m.created_at desc limit 1)
      end
    from public.chat_rooms r where r.is_active order by r.min_level_required, r.display_order, r.name;
end
$function$;
comment on function private.chat_room_overview() is 'All rooms for the calling account; locked ones without unread and last messages, and without participants for accounts that are not members.';
grant execute on function private.chat_room_overview() to authenticated;

CREATE OR REPLACE FUNCTION public.chat_room_overview()
 RETURNS TABLE(id text, name text, description text, min_level_required integer, participant_count integer, unread_count integer, last_message_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.chat_room_overview() $function$;
comment on function public.chat_room_overview() is 'Every room by level and name, with the caller''s unread messages (at most 99).';
grant execute on function public.chat_room_overview() to authenticated;

create type public.room_message as (
  id uuid,
  user_id uuid,
  chat_room_id text,
  content text,
  message_type text,
  parent_message_id uuid,
  like_count integer,
  created_at timestamp with time zone,
  edited_at timestamp with time zone,
  deleted_at timestamp with time zone,
  changed_at timestamp with time zone,
  author_first_name text,
  author_last_name text,
  author_role text,
  author_occupation text,
  liked_by_me boolean,
  parent_content text,
  parent_author text,
  author_avatar_url text
);
comment on type public.room_message is 'A message with its author, whether the caller likes it, and the beginning of the message it replies to.';

CREATE OR REPLACE FUNCTION private.present_messages(page public.chat_messages[])
 RETURNS SETOF public.room_message
 LANGUAGE plpgsql
 STABLE ROWS 50
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return query select m.id, m.user_id, m.chat_room_id, m.content, m.message_type, m.parent_message_id,
    m.like_count, m.created_at, m.edited_at, m.deleted_at, m.changed_at,
    a.first_name, a.last_name, a.role, a.occupation,
    exists (
      select from public.message_likes l where l.user_id = (select auth.uid()) and l.message_id = m.id
    ),
    q.content, q.author, a.avatar_url
  from unnest(page) with ordinality as m
  left join lateral (
    select p.first_name, p.last_name, p.role, p.occupation, p.avatar_url
    from public.profiles p where p.id = m.user_id offset 0
  ) a on true
  left join lateral (
    select left(p.content, 200) as content,
      (select concat_ws(' ', f.first_name, f.last_name) from public.profiles f where f.id = p.user_id) as author
    from public.chat_messages p where p.id = m.parent_message_id and p.deleted_at is null offset 0
  ) q on true
  order by m.ordinality;
end
$function$;
comment on function private.present_messages(public.chat_messages[]) is 'The messages with author, the caller''s like and the beginning of the parent message, in the given order.';
grant execute on function private.present_messages(public.chat_messages[]) to authenticated;

CREATE OR REPLACE FUNCTION public.room_page(room_id text, before_created_at timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid, page_size integer DEFAULT 50)
 RETURNS SETOF public.room_message
 LANGUAGE plpgsql
 STABLE ROWS 50
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  size integer := least(greatest(coalesce(page_size, 50), 1), 100);
  page public.chat_messages[];
begin
  perform private.require_room(room_id);
  if before_created_at is null then
    page := array(
      select m from public.chat_messages m where m.chat_room_id = room_id
      order by m.created_at desc, m.id limit size
    );
  else
    page := array(
      select m from public.chat_messages m
      where m.chat_room_id = room_id and m.created_at <= before_created_at
        and (m.created_at < before_created_at or m.id > before_id)
      order by m.created_at desc, m.id limit size
    );
  end if;
  return query select * from private.present_messages(page);
end
$function$;
comment on function public.room_page(text,timestamp with time zone,uuid,integer) is 'Up to 100 messages of a room, newest first; the next page starts after created_at and id of the last one.';
grant execute on function public.room_page(text,timestamp with time zone,uuid,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.room_changes_since(room_id text, since timestamp with time zone, after_id uuid DEFAULT NULL::uuid, page_size integer DEFAULT 100)
 RETURNS SETOF public.room_message
 LANGUAGE plpgsql
 STABLE ROWS 50
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  size integer := least(greatest(coalesce(page_size, 100), 1), 100);
  page public.chat_messages[];
begin
  perform private.require_room(room_id);
  if after_id is null then
    page := array(
      select m from public.chat_messages m
      where m.chat_room_id = room_id and m.changed_at >= since - interval '15 seconds'
      order by m.changed_at, m.id limit size
    );
  else
    page := array(
      select m from public.chat_messages m
      where m.chat_room_id = room_id and (m.changed_at, m.id) > (since, after_id)
      order by m.changed_at, m.id limit size
    );
  end if;
  return query select * from private.present_messages(page);
end
$function$;
comment on function public.room_changes_since(text,timestamp with time zone,uuid,integer) is 'Messages of a room that changed since, oldest change first; some may repeat. The next page starts after changed_at and id of the last one.';
grant execute on function public.room_changes_since(text,timestamp with time zone,uuid,integer) to authenticated;

-- message reports

create table private.message_reports (
  id bigint generated always as identity not null,
  message_id uuid not null,
  user_id uuid not null,
  reason text not null,
  content text not null,
  created_at timestamp with time zone default now() not null,
  resolved_at timestamp with time zone,
  decision text,
  constraint message_reports_once UNIQUE (message_id, user_id),
  constraint message_reports_pkey PRIMARY KEY (id),
  constraint message_reports_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.chat_messages(id) ON DELETE CASCADE,
  constraint message_reports_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint message_reports_decision_check CHECK ((decision = ANY (ARRAY['keep'::text, 'remove'::text]))),
  constraint message_reports_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500))),
  constraint message_reports_resolved_check CHECK (((resolved_at IS NULL) = (decision IS NULL)))
);
comment on table private.message_reports is 'Reports of messages, one for each member and message.';
comment on column private.message_reports.user_id is 'Who reported it.';
comment on column private.message_reports.content is 'The text as it was when it was reported, in case it is edited.';
CREATE INDEX message_reports_open_idx ON private.message_reports USING btree (created_at) WHERE (resolved_at IS NULL);
CREATE INDEX message_reports_user_id_idx ON private.message_reports USING btree (user_id);
alter table private.message_reports enable row level security;

CREATE OR REPLACE FUNCTION private.report_message(message uuid, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  why text := private.trimmed_message(reason);
  reported public.chat_messages := private.require_visible_message(message);
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF317', 'Say in at most 500 characters what is wrong.');
  end if;
  if reported.user_id = caller then
    perform private.fail('FF318', 'You can delete your own message; there is no need to report it.');
  end if;
  if exists (select from private.message_reports r where r.message_id = message and r.user_id = caller) then
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'report');
  insert into private.message_reports (message_id, user_id, reason, content)
  values (message, caller, why, reported.content) on conflict do nothing;
end
$function$;
comment on function private.report_message(uuid,text) is 'Reports a message the caller can see. Repeating it does nothing.';
grant execute on function private.report_message(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.report_message(message_id uuid, reason text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.report_message(message_id, reason) $function$;
comment on function public.report_message(uuid,text) is 'Reports a message to the administrators.';
grant execute on function public.report_message(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION private.moderation_queue()
 RETURNS TABLE(report_id bigint, message_id uuid, chat_room_id text, room_name text, content text, reported_content text, author_id uuid, author_first_name text, author_last_name text, author_role text, reports integer, reasons text[], first_reported_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return query
    select o.report_id, m.id, m.chat_room_id, c.name, m.content, o.reported_content,
      m.user_id, p.first_name, p.last_name, p.role, o.reports, o.reasons, o.first_reported_at
    from (
      select r.message_id as reported_id, min(r.id) as report_id, count(*)::integer as reports,
        array_agg(r.reason order by r.id) as reasons, min(r.created_at) as first_reported_at,
        (array_agg(r.content order by r.id))[1] as reported_content
      from private.message_reports r where r.resolved_at is null group by r.message_id
    ) o
    join public.chat_messages m on m.id = o.reported_id
    join public.chat_rooms c on c.id = m.chat_room_id
    join public.profiles p on p.id = m.user_id
    order by o.first_reported_at, o.report_id;
end
$function$;
comment on function private.moderation_queue() is 'Reported messages that wait for a decision, oldest report first.';
grant execute on function private.moderation_queue() to authenticated;

CREATE OR REPLACE FUNCTION public.moderation_queue()
 RETURNS TABLE(report_id bigint, message_id uuid, chat_room_id text, room_name text, content text, reported_content text, author_id uuid, author_first_name text, author_last_name text, author_role text, reports integer, reasons text[], first_reported_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.moderation_queue() $function$;
comment on function public.moderation_queue() is 'Administrators: reported messages waiting for a decision, oldest first.';
grant execute on function public.moderation_queue() to authenticated;

CREATE OR REPLACE FUNCTION private.resolve_report(report bigint, decision text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
  reported public.chat_messages;
begin
  if decision is null or decision not in ('keep', 'remove') then
    perform private.fail('FF319', 'The decision must be keep or remove.');
  end if;
  select m.* into reported from public.chat_messages m
  join private.message_reports r on r.message_id = m.id
  where r.id = report for no key update of m;
  update private.message_reports r set resolved_at = clock_timestamp(), decision = resolve_report.decision
  where r.message_id = reported.id and r.resolved_at is null;
  if not found then
    perform private.fail('FF320', 'This report is not waiting for a decision.');
  end if;
  perform private.audit(
    admin, 'message.' || case decision when 'keep' then 'kept' else 'removed' end, reported.user_id,
    jsonb_build_object('message_id', reported.id, 'report_id', report, 'before', 'reported', 'after', decision)
  );
  if decision = 'remove' then
    perform private.delete_message(reported.id);
  end if;
end
$function$;
comment on function private.resolve_report(bigint,text) is 'Keeps or removes a reported message and closes all its reports; audited.';
grant execute on function private.resolve_report(bigint,text) to authenticated;

CREATE OR REPLACE FUNCTION public.resolve_report(report_id bigint, decision text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.resolve_report(report_id, decision) $function$;
comment on function public.resolve_report(bigint,text) is 'Administrators: keep or remove a reported message.';
grant execute on function public.resolve_report(bigint,text) to authenticated;

-- chat export

CREATE OR REPLACE FUNCTION private.export_parts()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  part text;
  added jsonb;
  whole jsonb := '{}';
begin
  perform private.enforce_rate_limit(caller, 'export');
  for part in
    select p.proname from pg_catalog.pg_proc p
    where p.pronamespace = 'private'::regnamespace and p.proname like 'export\_part\_%' order by 1
  loop
    execute format('select private.%I($1)', part) into added using caller;
    whole := whole || added;
  end loop;
  return whole;
end
$function$;
comment on function private.export_parts() is 'The exports of all areas for the calling account, as one JSON object.';
grant execute on function private.export_parts() to authenticated;

CREATE OR REPLACE FUNCTION private.export_part_chat(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'messages', coalesce((
      select jsonb_agg(to_jsonb(m) order by m.created_at, m.id) from public.chat_messages m where m.user_id = member
    ), '[]'),
    'message_likes', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.created_at, l.message_id)
      from public.message_likes l where l.user_id = member
    ), '[]'),
    'room_reads', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.chat_room_id) from public.chat_room_reads r where r.user_id = member
    ), '[]'),
    -- Without the reported text, which another member wrote.
    'message_reports', coalesce((
      select jsonb_agg(to_jsonb(r) - 'content' order by r.id) from private.message_reports r where r.user_id = member
    ), '[]')
  )
$function$;
comment on function private.export_part_chat(uuid) is 'Messages, likes, read positions and reports of one account.';

CREATE OR REPLACE FUNCTION public.export_my_data()
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.export_account_data() || private.export_parts()
$function$;
comment on function public.export_my_data() is 'Everything stored about the caller, as one JSON object; raises FF300 above the limit.';
grant execute on function public.export_my_data() to authenticated;

-- chat channels

CREATE OR REPLACE FUNCTION private.caller_may_use_channel(topic text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if topic = 'rooms' then
    return private.session_is_live();
  end if;
  return coalesce(
    topic = 'identity:' || auth.uid() or starts_with(topic, 'room:') and substr(topic, 6) = any (private.caller_room_ids()), false
  );
end
$function$;
comment on function private.caller_may_use_channel(text) is 'True when the topic is that of a room the calling account may read now, rooms for a signed-in account, or its own identity channel.';
grant execute on function private.caller_may_use_channel(text) to authenticated;

create policy select_open_room on realtime.messages for select to authenticated
  using (((extension = 'broadcast'::text) AND ( SELECT private.caller_may_use_channel(( SELECT realtime.topic() AS topic)) AS caller_may_use_channel)));

CREATE OR REPLACE FUNCTION private.tg_room_leases__announce()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform realtime.send(
    jsonb_build_object(case tg_op when 'INSERT' then 'joined' else 'left' end, t.ids),
    'participants', 'room:' || t.chat_room_id, true
  )
  from (
    select p.chat_room_id, jsonb_agg(p.user_id order by p.user_id) as ids
    from (
      select c.chat_room_id, c.user_id,
        (row_number() over (partition by c.chat_room_id order by c.user_id) - 1) / 500 as part
      from changed c
    ) p
    group by p.chat_room_id, p.part
  ) t;
  return null;
end
$function$;
comment on function private.tg_room_leases__announce() is 'Broadcasts who joined or left a room.';

CREATE OR REPLACE FUNCTION private.room_participants(room text)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_room(room);
  return query
    select l.user_id from private.room_leases l where l.chat_room_id = room order by l.user_id limit 500;
end
$function$;
comment on function private.room_participants(text) is 'Members who are in the room now, at most 500; FF310 or FF311 unless the caller may read it.';
grant execute on function private.room_participants(text) to authenticated;

CREATE OR REPLACE FUNCTION public.room_participants(room_id text)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.room_participants(room_id) $function$;
comment on function public.room_participants(text) is 'Ids of the accounts in the room now, at most 500.';
grant execute on function public.room_participants(text) to authenticated;

CREATE OR REPLACE FUNCTION private.notify_typing(room text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_room(room);
begin
  perform private.enforce_rate_limit(caller, 'typing');
  perform realtime.send(jsonb_build_object('user_id', caller), 'typing', 'room:' || room, true);
end
$function$;
comment on function private.notify_typing(text) is 'Broadcasts that the caller is typing in the room; raises FF300, FF310 or FF311.';
grant execute on function private.notify_typing(text) to authenticated;

CREATE OR REPLACE FUNCTION public.notify_typing(room_id text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.notify_typing(room_id) $function$;
comment on function public.notify_typing(text) is 'The caller is typing in the room. Call it every few seconds while typing.';
grant execute on function public.notify_typing(text) to authenticated;

-- submissions

CREATE OR REPLACE FUNCTION private.image_name(image_url text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select regexp_replace(regexp_replace(image_url, '[?#].*$', ''), '^.*/', '')
$function$;
comment on function private.image_name(text) is 'Name of the object in a public URL: its last part, without query.';
grant execute on function private.image_name(text) to authenticated;
grant execute on function private.image_name(text) to service_role;

create table public.learning_submissions (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  submission_type text not null,
  title text not null,
  content text not null,
  image_url text,
  is_featured boolean default false not null,
  like_count integer default 0 not null,
  comment_count integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  constraint learning_submissions_pkey PRIMARY KEY (id),
  constraint learning_submissions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint learning_submissions_comment_count_check CHECK ((comment_count >= 0)),
  constraint learning_submissions_content_check CHECK (((char_length(content) >= 1) AND (char_length(content) <= 10000))),
  constraint learning_submissions_image_url_check CHECK (((char_length(image_url) <= 600) AND (image_url ~ '^(https?://[^/?#\s]+)?/storage/v1/object/public/learning-images/[0-9a-f-]{36}-[0-9]{1,20}\.(jpg|jpeg|png)$'::text))),
  constraint learning_submissions_like_count_check CHECK ((like_count >= 0)),
  constraint learning_submissions_submission_type_check CHECK ((submission_type = ANY (ARRAY['pact'::text, 'progress_report'::text, 'before_after'::text, 'failure'::text, 'success'::text]))),
  constraint learning_submissions_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 150)))
);
comment on table public.learning_submissions is 'Learning submissions of members.';
comment on column public.learning_submissions.image_url is 'Public URL of an object of the author in the bucket learning-images; without the origin when the server''s address was not known.';
comment on column public.learning_submissions.is_featured is 'Set by administrators.';
comment on column public.learning_submissions.like_count is 'Kept by a trigger on the likes.';
comment on column public.learning_submissions.comment_count is 'Kept by a trigger on the comments.';
CREATE INDEX learning_submissions_feed_idx ON public.learning_submissions USING btree (created_at DESC, id DESC);
CREATE INDEX learning_submissions_image_name_idx ON public.learning_submissions USING btree (private.image_name(image_url)) WHERE (image_url IS NOT NULL);
CREATE INDEX learning_submissions_type_idx ON public.learning_submissions USING btree (submission_type, created_at DESC, id DESC);
CREATE INDEX learning_submissions_user_id_idx ON public.learning_submissions USING btree (user_id);
alter table public.learning_submissions enable row level security;
grant delete, insert, select, update on public.learning_submissions to service_role;
grant insert (id, user_id, submission_type, title, content, image_url),
  select (id, user_id, submission_type, title, content, image_url, is_featured, like_count, comment_count, created_at) on public.learning_submissions to authenticated;
CREATE TRIGGER learning_submissions__guard_insert BEFORE INSERT ON public.learning_submissions FOR EACH ROW EXECUTE FUNCTION private.tg_learning_submissions__guard_insert();
CREATE TRIGGER learning_submissions__index AFTER INSERT OR UPDATE OF submission_type, title, content ON public.learning_submissions FOR EACH ROW EXECUTE FUNCTION private.tg_learning_submissions__index();
CREATE TRIGGER learning_submissions__limit_rate BEFORE INSERT ON public.learning_submissions FOR EACH ROW WHEN (private.is_outside_caller()) EXECUTE FUNCTION private.tg_learning_submissions__limit_rate();
CREATE TRIGGER learning_submissions__record_progress_event AFTER INSERT ON public.learning_submissions FOR EACH ROW EXECUTE FUNCTION private.tg_learning_submissions__record_progress_event();
CREATE TRIGGER learning_submissions__unindex AFTER DELETE ON public.learning_submissions FOR EACH ROW EXECUTE FUNCTION private.tg_learning_submissions__unindex();
alter publication supabase_realtime add table public.learning_submissions;

create policy select_own_or_member on public.learning_submissions for select to authenticated
  using ((((user_id = ( SELECT auth.uid() AS uid)) OR (( SELECT private.caller_effective_level() AS caller_effective_level) >= 1)) AND ( SELECT private.session_is_live() AS session_is_live)));
comment on policy select_own_or_member on public.learning_submissions is 'The author, and every member. @authorizer private.learning_submission_authorized_users';

CREATE OR REPLACE FUNCTION private.learning_submission_authorized_users(submission public.learning_submissions, user_ids uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return array(
    select asked.id from unnest(user_ids) as asked(id)
    where asked.id = submission.user_id
      or exists (select from private.effective_levels l where l.user_id = asked.id and l.level >= 1)
  );
end
$function$;
comment on function private.learning_submission_authorized_users(public.learning_submissions,uuid[]) is 'The given accounts that may read the submission now.';

create policy insert_own on public.learning_submissions for insert to authenticated
  with check (((user_id = ( SELECT auth.uid() AS uid)) AND (( SELECT private.caller_effective_level() AS caller_effective_level) >= 1)));

create table public.learning_submission_likes (
  user_id uuid not null,
  submission_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint learning_submission_likes_pkey PRIMARY KEY (user_id, submission_id),
  constraint learning_submission_likes_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.learning_submissions(id) ON DELETE CASCADE,
  constraint learning_submission_likes_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table public.learning_submission_likes is 'Likes of submissions; members see only their own.';
CREATE INDEX learning_submission_likes_submission_id_idx ON public.learning_submission_likes USING btree (submission_id);
alter table public.learning_submission_likes enable row level security;
grant delete on public.learning_submission_likes to authenticated;
grant delete, insert, select, update on public.learning_submission_likes to service_role;
grant insert (user_id, submission_id),
  select (user_id, submission_id, created_at) on public.learning_submission_likes to authenticated;
CREATE TRIGGER learning_submission_likes__count_added AFTER INSERT ON public.learning_submission_likes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_learning_submission_likes__count();
CREATE TRIGGER learning_submission_likes__count_removed AFTER DELETE ON public.learning_submission_likes REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_learning_submission_likes__count();
CREATE TRIGGER learning_submission_likes__limit_rate BEFORE INSERT ON public.learning_submission_likes FOR EACH ROW WHEN (private.is_outside_caller()) EXECUTE FUNCTION private.tg_learning_submission_likes__limit_rate();
CREATE TRIGGER learning_submission_likes__notify AFTER INSERT ON public.learning_submission_likes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_learning_submission_likes__notify();

create policy select_own on public.learning_submission_likes for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

create policy insert_own on public.learning_submission_likes for insert to authenticated
  with check (((user_id = ( SELECT auth.uid() AS uid)) AND (( SELECT private.caller_effective_level() AS caller_effective_level) >= 1)));

create policy delete_own on public.learning_submission_likes for delete to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

create table public.learning_submission_comments (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  submission_id uuid not null,
  content text not null,
  created_at timestamp with time zone default now() not null,
  constraint learning_submission_comments_pkey PRIMARY KEY (id),
  constraint learning_submission_comments_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.learning_submissions(id) ON DELETE CASCADE,
  constraint learning_submission_comments_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint learning_submission_comments_content_check CHECK (((char_length(content) >= 1) AND (char_length(content) <= 2000)))
);
comment on table public.learning_submission_comments is 'Comments on submissions.';
CREATE INDEX learning_submission_comments_page_idx ON public.learning_submission_comments USING btree (submission_id, created_at, id);
CREATE INDEX learning_submission_comments_user_id_idx ON public.learning_submission_comments USING btree (user_id);
alter table public.learning_submission_comments enable row level security;
grant delete, insert, select, update on public.learning_submission_comments to service_role;
grant insert (id, user_id, submission_id, content),
  select (id, user_id, submission_id, content, created_at) on public.learning_submission_comments to authenticated;
CREATE TRIGGER learning_submission_comments__count_added AFTER INSERT ON public.learning_submission_comments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_learning_submission_comments__count();
CREATE TRIGGER learning_submission_comments__count_removed AFTER DELETE ON public.learning_submission_comments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_learning_submission_comments__count();
CREATE TRIGGER learning_submission_comments__guard_insert BEFORE INSERT ON public.learning_submission_comments FOR EACH ROW EXECUTE FUNCTION private.tg_learning_submission_comments__guard_insert();
CREATE TRIGGER learning_submission_comments__limit_rate BEFORE INSERT ON public.learning_submission_comments FOR EACH ROW WHEN (private.is_outside_caller()) EXECUTE FUNCTION private.tg_learning_submission_comments__limit_rate();
CREATE TRIGGER learning_submission_comments__notify AFTER INSERT ON public.learning_submission_comments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_learning_submission_comments__notify();

create policy select_own_or_member on public.learning_submission_comments for select to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) OR (( SELECT private.caller_effective_level() AS caller_effective_level) >= 1)));

create policy insert_own on public.learning_submission_comments for insert to authenticated
  with check (((user_id = ( SELECT auth.uid() AS uid)) AND (( SELECT private.caller_effective_level() AS caller_effective_level) >= 1)));

CREATE OR REPLACE FUNCTION private.tg_learning_submission_likes__count()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.learning_submissions s where s.id in (select c.submission_id from changed c)
    order by s.id for no key update;
  update public.learning_submissions s set like_count = s.like_count + sign * t.changes
  from (select c.submission_id, count(*)::integer as changes from changed c group by c.submission_id) t
  where s.id = t.submission_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_learning_submission_comments__count()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.learning_submissions s where s.id in (select c.submission_id from changed c)
    order by s.id for no key update;
  update public.learning_submissions s set comment_count = s.comment_count + sign * t.changes
  from (select c.submission_id, count(*)::integer as changes from changed c group by c.submission_id) t
  where s.id = t.submission_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_learning_submissions__record_progress_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.record_progress_event(new.user_id, 'submission', new.id::text);
  return null;
end
$function$;

-- submission rules

CREATE OR REPLACE FUNCTION private.tg_storage_objects__limit_images()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  member text := left(new.name, 36);
begin
  -- A row for another account is not changed: the policy refuses it next.
  if auth.uid() is not null and auth.uid()::text <> member then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('learning-images:' || member, 0));
  if (
    select count(*) from storage.objects o
    where o.bucket_id = 'learning-images' and o.name like member || '-%'
      and o.created_at > now() - interval '1 hour'
  ) >= 20 then
    perform private.fail('42501', 'This account has stored twenty pictures within the hour, which is the most.');
  end if;
  return new;
end
$function$;

CREATE TRIGGER storage_objects__limit_images BEFORE INSERT ON storage.objects FOR EACH ROW WHEN ((new.bucket_id = 'learning-images'::text)) EXECUTE FUNCTION private.tg_storage_objects__limit_images();

create policy insert_own_learning_image on storage.objects for insert to authenticated
  with check (((bucket_id = 'learning-images'::text) AND (name ~ (('^'::text || (( SELECT auth.uid() AS uid))::text) || '-[0-9]{1,20}\.(jpg|jpeg|png)$'::text)) AND (( SELECT private.caller_effective_level() AS caller_effective_level) >= 1)));

CREATE OR REPLACE FUNCTION private.caller_has_image(image text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from storage.objects o
    where o.bucket_id = 'learning-images' and o.name = image
      and o.name ~ ('^' || auth.uid()::text || '-[0-9]{1,20}\.(jpg|jpeg|png)$')
  )
$function$;
comment on function private.caller_has_image(text) is 'True when a picture of that name exists and belongs to the caller.';
grant execute on function private.caller_has_image(text) to authenticated;

CREATE OR REPLACE FUNCTION private.tg_learning_submissions__guard_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  image text;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.user_id is distinct from auth.uid() then
    return new;
  end if;
  new.title := private.trimmed_message(new.title);
  new.content := private.trimmed_message(new.content);
  if private.is_blank(new.title) or private.is_blank(new.content) then
    perform private.fail('FF330', 'A submission needs a title and some text.');
  end if;
  new.created_at := clock_timestamp();
  if new.image_url is not null then
    -- Clients send the object's public URL. Only its name is kept, because the URL could point to another server.
    image := private.image_name(new.image_url);
    if not private.caller_has_image(image) then
      perform private.fail('FF331', 'The picture has not been uploaded.');
    end if;
    new.image_url := coalesce(private.caller_api_origin(), '') || '/storage/v1/object/public/learning-images/' || image;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_learning_submissions__limit_rate()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.user_id = auth.uid() then
    perform private.enforce_rate_limit(new.user_id, 'submission');
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_learning_submission_likes__limit_rate()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.user_id = auth.uid() then
    perform private.enforce_rate_limit(new.user_id, 'like');
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_learning_submission_comments__guard_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if private.is_outside_caller() then
    new.content := private.trimmed_message(new.content);
    new.created_at := clock_timestamp();
    if private.is_blank(new.content) then
      perform private.fail('FF330', 'A comment needs some text.');
    end if;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_learning_submission_comments__limit_rate()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.user_id = auth.uid() then
    perform private.enforce_rate_limit(new.user_id, 'comment');
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_submission(submission_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  author uuid;
begin
  select s.user_id into author from public.learning_submissions s where s.id = submission_id;
  if author is null or not (author = caller or private.caller_is_admin()) then
    perform private.fail('FF332', 'There is no such submission of yours.');
  end if;
  perform from public.learning_submission_likes l
    where l.submission_id = delete_submission.submission_id order by l.user_id for update;
  perform from public.learning_submission_comments c
    where c.submission_id = delete_submission.submission_id order by c.id for update;
  delete from public.learning_submissions s where s.id = delete_submission.submission_id;
  if author <> caller then
    perform private.audit(
      caller, 'submission.deleted', author, jsonb_build_object('submission_id', delete_submission.submission_id)
    );
  end if;
end
$function$;
comment on function private.delete_submission(uuid) is 'Deletes the caller''s own submission, or any for administrators, audited.';
grant execute on function private.delete_submission(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.delete_submission(submission_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.delete_submission(submission_id) $function$;
comment on function public.delete_submission(uuid) is 'Deletes a submission with its likes and comments.';
grant execute on function public.delete_submission(uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.delete_comment(comment_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  author uuid;
begin
  select c.user_id into author from public.learning_submission_comments c where c.id = comment_id for update;
  if author is null or not (author = caller or private.caller_is_admin()) then
    perform private.fail('FF333', 'There is no such comment of yours.');
  end if;
  delete from public.learning_submission_comments c where c.id = comment_id;
  if author <> caller then
    perform private.audit(caller, 'comment.deleted', author, jsonb_build_object('comment_id', comment_id));
  end if;
end
$function$;
comment on function private.delete_comment(uuid) is 'Deletes the caller''s own comment, or any for administrators, audited.';
grant execute on function private.delete_comment(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.delete_comment(comment_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.delete_comment(comment_id) $function$;
comment on function public.delete_comment(uuid) is 'Deletes a comment.';
grant execute on function public.delete_comment(uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.feature_submission(submission_id uuid, featured boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_admin();
  wanted boolean := coalesce(featured, false);
  before public.learning_submissions;
begin
  select s.* into before from public.learning_submissions s where s.id = submission_id for no key update;
  if not found then
    perform private.fail('FF332', 'There is no such submission.');
  end if;
  update public.learning_submissions s set is_featured = wanted where s.id = submission_id;
  perform private.audit(caller, 'submission.featured', before.user_id, jsonb_build_object(
    'submission_id', submission_id,
    'before', jsonb_build_object('featured', before.is_featured), 'after', jsonb_build_object('featured', wanted)
  ));
end
$function$;
comment on function private.feature_submission(uuid,boolean) is 'Sets or clears the featured mark; administrators only, audited.';
grant execute on function private.feature_submission(uuid,boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.feature_submission(submission_id uuid, featured boolean)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.feature_submission(submission_id, featured) $function$;
comment on function public.feature_submission(uuid,boolean) is 'Administrators: set or clear the featured mark of a submission.';
grant execute on function public.feature_submission(uuid,boolean) to authenticated;

CREATE OR REPLACE FUNCTION private.likes_received(member uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select (
    (select coalesce(sum(m.like_count), 0) from public.chat_messages m
      where m.user_id = member and m.deleted_at is null)
    + (select coalesce(sum(s.like_count), 0) from public.learning_submissions s where s.user_id = member)
    - (select count(*) from public.message_likes l join public.chat_messages m on m.id = l.message_id
      where l.user_id = member and m.user_id = member and m.deleted_at is null)
    - (select count(*) from public.learning_submission_likes l
      join public.learning_submissions s on s.id = l.submission_id
      where l.user_id = member and s.user_id = member)
  )::integer
$function$;
comment on function private.likes_received(uuid) is 'Likes of an account''s messages and submissions by others.';

-- submission retention

CREATE OR REPLACE FUNCTION private.export_part_levels(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'level_completions', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.level) from public.level_completions c where c.user_id = member
    ), '[]'),
    'progress_events', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.id) from private.progress_ledger l where l.user_id = member
    ), '[]')
  )
$function$;
comment on function private.export_part_levels(uuid) is 'Completed levels and progress events of one account.';

CREATE OR REPLACE FUNCTION private.export_part_submissions(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'submissions', coalesce((
      select jsonb_agg(to_jsonb(s) order by s.created_at, s.id)
      from public.learning_submissions s where s.user_id = member
    ), '[]'),
    'submission_likes', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.created_at, l.submission_id)
      from public.learning_submission_likes l where l.user_id = member
    ), '[]'),
    'submission_comments', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.created_at, c.id)
      from public.learning_submission_comments c where c.user_id = member
    ), '[]')
  )
$function$;
comment on function private.export_part_submissions(uuid) is 'Submissions, likes of submissions and comments of one account.';

CREATE OR REPLACE FUNCTION private.learning_images_due(after text, batch integer)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select o.name from storage.objects o
  where o.bucket_id = 'learning-images' and o.name > after and o.created_at < now() - interval '1 day'
    and not exists (
      select from public.learning_submissions s
      where s.image_url is not null and private.image_name(s.image_url) = o.name
    )
  order by o.name
  limit batch
$function$;
comment on function private.learning_images_due(text,integer) is 'Pictures older than a day that no submission shows; by name, after the given one.';
grant execute on function private.learning_images_due(text,integer) to service_role;

CREATE OR REPLACE FUNCTION public.learning_images_due(after text DEFAULT ''::text, batch integer DEFAULT 100)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.learning_images_due(after, batch) $function$;
comment on function public.learning_images_due(text,integer) is 'Server: pictures of submissions to delete now.';
grant execute on function public.learning_images_due(text,integer) to service_role;

-- library

CREATE OR REPLACE FUNCTION private.category_level(category text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case category when 'general' then 2 when 'business' then 3 when 'wealth' then 4 end
$function$;
comment on function private.category_level(text) is 'Level that opens a main category: general 2, business 3, wealth 4.';
grant execute on function private.category_level(text) to authenticated;

create table public.subcategories (
  id uuid default gen_random_uuid() not null,
  main_category text not null,
  slug text not null,
  name text not null,
  description text default ''::text not null,
  color text default '#64748b'::text not null,
  icon text default 'book-open'::text not null,
  display_order integer default 0 not null,
  is_active boolean default true not null,
  open_to_mentors boolean default false not null,
  constraint subcategories_main_category_slug_key UNIQUE (main_category, slug),
  constraint subcategories_pkey PRIMARY KEY (id),
  constraint subcategories_color_check CHECK ((color ~ '^#[0-9a-f]{6}$'::text)),
  constraint subcategories_description_check CHECK ((char_length(description) <= 300)),
  constraint subcategories_icon_check CHECK ((icon ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text)),
  constraint subcategories_main_category_check CHECK ((main_category = ANY (ARRAY['general'::text, 'business'::text, 'wealth'::text]))),
  constraint subcategories_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
  constraint subcategories_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (char_length(slug) <= 80)))
);
comment on table public.subcategories is 'Subcategories of the library, each in one main category.';
comment on column public.subcategories.color is 'Colour of the bar on its card, as #rrggbb.';
comment on column public.subcategories.icon is 'Name of an icon of the app; unknown names fall back to one.';
comment on column public.subcategories.is_active is 'False hides the subcategory with its articles and courses.';
comment on column public.subcategories.open_to_mentors is 'Mentors with a live membership read it at every level. Set by the importer from the front matter of the subcategory.';
alter table public.subcategories enable row level security;
grant delete, insert, select, update on public.subcategories to service_role;
grant select (id, main_category, slug, name, description, color, icon, display_order, is_active, open_to_mentors) on public.subcategories to authenticated;
CREATE TRIGGER subcategories__index AFTER UPDATE OF main_category, slug, name, is_active ON public.subcategories FOR EACH ROW EXECUTE FUNCTION private.tg_subcategories__index();

create table public.articles (
  id uuid default gen_random_uuid() not null,
  subcategory_id uuid not null,
  slug text not null,
  title text not null,
  excerpt text default ''::text not null,
  content text default ''::text not null,
  featured_image_url text,
  author_id uuid,
  is_published boolean default false not null,
  is_featured boolean default false not null,
  estimated_read_time integer default 1 not null,
  tags text[] default '{}'::text[] not null,
  read_count integer default 0 not null,
  display_order integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  constraint articles_subcategory_id_slug_key UNIQUE (subcategory_id, slug),
  constraint articles_pkey PRIMARY KEY (id),
  constraint articles_author_id_fkey FOREIGN KEY (author_id) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint articles_subcategory_id_fkey FOREIGN KEY (subcategory_id) REFERENCES public.subcategories(id),
  constraint articles_content_check CHECK ((octet_length(content) <= 204800)),
  constraint articles_estimated_read_time_check CHECK ((estimated_read_time > 0)),
  constraint articles_excerpt_check CHECK ((char_length(excerpt) <= 500)),
  constraint articles_read_count_check CHECK ((read_count >= 0)),
  constraint articles_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (char_length(slug) <= 120))),
  constraint articles_tags_check CHECK ((cardinality(tags) <= 10)),
  constraint articles_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 200)))
);
comment on table public.articles is 'Articles of the library, in Markdown.';
comment on column public.articles.author_id is 'Null for the product''s own articles.';
comment on column public.articles.estimated_read_time is 'Minutes.';
comment on column public.articles.read_count is 'Number of openings, one for each member and day; kept by the server.';
CREATE INDEX articles_author_id_idx ON public.articles USING btree (author_id);
CREATE INDEX articles_list_idx ON public.articles USING btree (subcategory_id, is_featured DESC, created_at DESC);
alter table public.articles enable row level security;
grant delete, insert, select, update on public.articles to service_role;
grant select (id, subcategory_id, slug, title, excerpt, content, featured_image_url, author_id, is_published, is_featured, estimated_read_time, tags, read_count, display_order, created_at),
  update (read_count) on public.articles to authenticated;
CREATE TRIGGER articles__count_open BEFORE UPDATE ON public.articles FOR EACH ROW EXECUTE FUNCTION private.tg_articles__count_open();
CREATE TRIGGER articles__index AFTER INSERT OR UPDATE OF title, excerpt, content, tags, is_published, subcategory_id, author_id ON public.articles FOR EACH ROW EXECUTE FUNCTION private.tg_articles__index();
CREATE TRIGGER articles__one_at_a_time AFTER UPDATE ON public.articles REFERENCING NEW TABLE AS opened FOR EACH STATEMENT WHEN ((CURRENT_USER = ANY (ARRAY['anon'::name, 'authenticated'::name]))) EXECUTE FUNCTION private.tg_articles__one_at_a_time();
CREATE TRIGGER articles__unindex AFTER DELETE ON public.articles FOR EACH ROW EXECUTE FUNCTION private.tg_articles__unindex();

create table public.courses (
  id uuid default gen_random_uuid() not null,
  subcategory_id uuid not null,
  slug text not null,
  title text not null,
  description text default ''::text not null,
  thumbnail_url text,
  mentor_id uuid,
  is_published boolean default false not null,
  is_featured boolean default false not null,
  is_free boolean generated always as ((price = (0)::numeric)) stored,
  price numeric(10,2) default 0 not null,
  estimated_duration integer default 0 not null,
  difficulty_level text default 'beginner'::text not null,
  enrollment_count integer default 0 not null,
  module_count integer default 0 not null,
  display_order integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  constraint courses_subcategory_id_slug_key UNIQUE (subcategory_id, slug),
  constraint courses_pkey PRIMARY KEY (id),
  constraint courses_mentor_id_fkey FOREIGN KEY (mentor_id) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint courses_subcategory_id_fkey FOREIGN KEY (subcategory_id) REFERENCES public.subcategories(id),
  constraint courses_description_check CHECK ((char_length(description) <= 2000)),
  constraint courses_difficulty_level_check CHECK ((difficulty_level = ANY (ARRAY['beginner'::text, 'intermediate'::text, 'advanced'::text]))),
  constraint courses_enrollment_count_check CHECK ((enrollment_count >= 0)),
  constraint courses_estimated_duration_check CHECK ((estimated_duration >= 0)),
  constraint courses_module_count_check CHECK ((module_count >= 0)),
  constraint courses_price_check CHECK ((price >= (0)::numeric)),
  constraint courses_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (char_length(slug) <= 120))),
  constraint courses_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 200)))
);
comment on table public.courses is 'Courses of the library; their content is in course_modules.';
comment on column public.courses.mentor_id is 'Null for the product''s own courses.';
comment on column public.courses.price is 'Pounds, for display only: every course is included in the membership.';
comment on column public.courses.estimated_duration is 'Minutes of all modules together.';
comment on column public.courses.enrollment_count is 'Members enrolled; kept by the server.';
comment on column public.courses.module_count is 'Published modules; kept by the server.';
CREATE INDEX courses_list_idx ON public.courses USING btree (subcategory_id, is_featured DESC, created_at DESC);
CREATE INDEX courses_mentor_id_idx ON public.courses USING btree (mentor_id);
alter table public.courses enable row level security;
grant delete, insert, select, update on public.courses to service_role;
grant select (id, subcategory_id, slug, title, description, thumbnail_url, mentor_id, is_published, is_featured, is_free, price, estimated_duration, difficulty_level, enrollment_count, module_count, display_order, created_at),
  update (enrollment_count) on public.courses to authenticated;
CREATE TRIGGER courses__index AFTER INSERT OR UPDATE OF title, description, difficulty_level, is_published, subcategory_id, mentor_id ON public.courses FOR EACH ROW EXECUTE FUNCTION private.tg_courses__index();
CREATE TRIGGER courses__keep_counts BEFORE UPDATE ON public.courses FOR EACH ROW EXECUTE FUNCTION private.tg_courses__keep_counts();
CREATE TRIGGER courses__unindex AFTER DELETE ON public.courses FOR EACH ROW EXECUTE FUNCTION private.tg_courses__unindex();

create table public.course_modules (
  id uuid default gen_random_uuid() not null,
  course_id uuid not null,
  slug text not null,
  title text not null,
  content text default ''::text not null,
  module_order integer not null,
  video_url text,
  estimated_duration integer default 0 not null,
  is_published boolean default true not null,
  constraint course_modules_course_id_slug_key UNIQUE (course_id, slug),
  constraint course_modules_pkey PRIMARY KEY (id),
  constraint course_modules_course_id_fkey FOREIGN KEY (course_id) REFERENCES public.courses(id) ON DELETE CASCADE,
  constraint course_modules_content_check CHECK ((octet_length(content) <= 204800)),
  constraint course_modules_estimated_duration_check CHECK ((estimated_duration >= 0)),
  constraint course_modules_module_order_check CHECK ((module_order > 0)),
  constraint course_modules_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (char_length(slug) <= 120))),
  constraint course_modules_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 200))),
  constraint course_modules_video_url_check CHECK (((video_url ~ '^(https://|/)'::text) AND (char_length(video_url) <= 500)))
);
comment on table public.course_modules is 'Lessons of a course with their exercises, readable by enrolled members.';
comment on column public.course_modules.estimated_duration is 'Minutes of reading and exercise.';
comment on column public.course_modules.is_published is 'False hides a module and keeps members'' completions.';
CREATE INDEX course_modules_order_idx ON public.course_modules USING btree (course_id, module_order);
alter table public.course_modules enable row level security;
grant delete, insert, select, update on public.course_modules to service_role;
grant select (id, course_id, slug, title, content, module_order, video_url, estimated_duration, is_published) on public.course_modules to authenticated;
CREATE TRIGGER course_modules__count_added AFTER INSERT ON public.course_modules REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_course_modules__count();
CREATE TRIGGER course_modules__count_changed AFTER UPDATE ON public.course_modules REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_course_modules__count();
CREATE TRIGGER course_modules__count_gone AFTER DELETE ON public.course_modules REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_course_modules__count();

create table public.article_opens (
  user_id uuid not null,
  article_id uuid not null,
  last_opened_on date not null,
  constraint article_opens_pkey PRIMARY KEY (user_id, article_id),
  constraint article_opens_article_id_fkey FOREIGN KEY (article_id) REFERENCES public.articles(id) ON DELETE CASCADE,
  constraint article_opens_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table public.article_opens is 'Articles members opened, and the last day each was counted.';
comment on column public.article_opens.last_opened_on is 'Day in UTC.';
CREATE INDEX article_opens_article_id_idx ON public.article_opens USING btree (article_id);
alter table public.article_opens enable row level security;
grant delete, insert, select, update on public.article_opens to service_role;
grant select (user_id, article_id, last_opened_on) on public.article_opens to authenticated;

create table public.article_reads (
  user_id uuid not null,
  article_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint article_reads_pkey PRIMARY KEY (user_id, article_id),
  constraint article_reads_article_id_fkey FOREIGN KEY (article_id) REFERENCES public.articles(id) ON DELETE CASCADE,
  constraint article_reads_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table public.article_reads is 'Articles members marked as read, once each.';
CREATE INDEX article_reads_article_day_idx ON public.article_reads USING btree (article_id, created_at);
CREATE INDEX article_reads_article_id_idx ON public.article_reads USING btree (article_id);
alter table public.article_reads enable row level security;
grant delete, insert, select, update on public.article_reads to service_role;
grant insert (user_id, article_id),
  select (user_id, article_id, created_at) on public.article_reads to authenticated;
CREATE TRIGGER article_reads__guard_insert BEFORE INSERT ON public.article_reads FOR EACH ROW EXECUTE FUNCTION private.tg_article_reads__guard_insert();
CREATE TRIGGER article_reads__record AFTER INSERT ON public.article_reads FOR EACH ROW EXECUTE FUNCTION private.tg_article_reads__record();
CREATE TRIGGER article_reads__uncount AFTER DELETE ON public.article_reads REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.tg_article_reads__uncount();

create table public.course_enrollments (
  user_id uuid not null,
  course_id uuid not null,
  progress_percentage integer default 0 not null,
  completed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint course_enrollments_pkey PRIMARY KEY (user_id, course_id),
  constraint course_enrollments_course_id_fkey FOREIGN KEY (course_id) REFERENCES public.courses(id) ON DELETE CASCADE,
  constraint course_enrollments_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint course_enrollments_progress_percentage_check CHECK (((progress_percentage >= 0) AND (progress_percentage <= 100)))
);
comment on table public.course_enrollments is 'Enrolments of members with their progress.';
comment on column public.course_enrollments.progress_percentage is 'Rounded share of the published modules completed; stays at 100 once the course was completed.';
comment on column public.course_enrollments.completed_at is 'When every module was completed for the first time; never cleared.';
CREATE INDEX course_enrollments_completed_at_idx ON public.course_enrollments USING btree (completed_at, course_id) WHERE (completed_at IS NOT NULL);
CREATE INDEX course_enrollments_course_day_idx ON public.course_enrollments USING btree (course_id, created_at, user_id) INCLUDE (completed_at);
CREATE INDEX course_enrollments_course_id_idx ON public.course_enrollments USING btree (course_id);
alter table public.course_enrollments enable row level security;
grant delete, insert, select, update on public.course_enrollments to service_role;
grant insert (user_id, course_id),
  select (user_id, course_id, progress_percentage, completed_at, created_at),
  update (progress_percentage, completed_at) on public.course_enrollments to authenticated;
CREATE TRIGGER course_enrollments__count_added AFTER INSERT ON public.course_enrollments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_course_enrollments__count();
CREATE TRIGGER course_enrollments__count_gone AFTER DELETE ON public.course_enrollments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_course_enrollments__count();
CREATE TRIGGER course_enrollments__guard_insert BEFORE INSERT ON public.course_enrollments FOR EACH ROW EXECUTE FUNCTION private.tg_course_enrollments__guard_insert();
CREATE TRIGGER course_enrollments__keep_progress BEFORE UPDATE ON public.course_enrollments FOR EACH ROW EXECUTE FUNCTION private.tg_course_enrollments__keep_progress();
CREATE TRIGGER course_enrollments__uncount AFTER DELETE ON public.course_enrollments REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.tg_course_enrollments__uncount();

create table public.module_completions (
  user_id uuid not null,
  module_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint module_completions_pkey PRIMARY KEY (user_id, module_id),
  constraint module_completions_module_id_fkey FOREIGN KEY (module_id) REFERENCES public.course_modules(id) ON DELETE CASCADE,
  constraint module_completions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table public.module_completions is 'Modules members completed, once each.';
CREATE INDEX module_completions_module_day_idx ON public.module_completions USING btree (module_id, created_at);
CREATE INDEX module_completions_module_id_idx ON public.module_completions USING btree (module_id);
alter table public.module_completions enable row level security;
grant delete, insert, select, update on public.module_completions to service_role;
grant insert (user_id, module_id),
  select (user_id, module_id, created_at) on public.module_completions to authenticated;
CREATE TRIGGER module_completions__count AFTER INSERT ON public.module_completions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.tg_module_completions__count();
CREATE TRIGGER module_completions__guard_insert BEFORE INSERT ON public.module_completions FOR EACH ROW EXECUTE FUNCTION private.tg_module_completions__guard_insert();
CREATE TRIGGER module_completions__uncount AFTER DELETE ON public.module_completions REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.tg_module_completions__uncount();

-- library access

CREATE OR REPLACE FUNCTION private.open_categories(level integer)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select array(
    select c from unnest(array['general', 'business', 'wealth']) c where private.category_level(c) <= level
  )
$function$;
comment on function private.open_categories(integer) is 'Main categories a level opens.';

CREATE OR REPLACE FUNCTION private.caller_subcategories()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  level integer := private.caller_effective_level();
  open_to_caller text[] := private.open_categories(level);
  is_mentor boolean := level > 0
    and exists (select from public.profiles p where p.id = auth.uid() and p.role = 'mentor');
begin
  return query
    select s.id from public.subcategories s
    where s.is_active and (s.main_category = any (open_to_caller) or (is_mentor and s.open_to_mentors));
end
$function$;
comment on function private.caller_subcategories() is 'Active subcategories in the categories the caller''s level opens, and for mentors those open to all mentors.';
grant execute on function private.caller_subcategories() to authenticated;

CREATE OR REPLACE FUNCTION private.caller_shelves()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query select private.caller_subcategories();
  return query select a.subcategory_id from public.articles a where a.author_id = auth.uid();
  return query select c.subcategory_id from public.courses c where c.mentor_id = auth.uid();
end
$function$;
comment on function private.caller_shelves() is 'Subcategories the caller may see: those of the caller''s level and those with the caller''s own work.';
grant execute on function private.caller_shelves() to authenticated;

CREATE OR REPLACE FUNCTION private.caller_enrolled_courses()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select c.id from public.course_enrollments e
    join public.courses c on c.id = e.course_id
    where e.user_id = auth.uid() and c.is_published and c.subcategory_id in (select private.caller_subcategories());
end
$function$;
comment on function private.caller_enrolled_courses() is 'Published courses the caller is enrolled in and has the level for.';
grant execute on function private.caller_enrolled_courses() to authenticated;

CREATE OR REPLACE FUNCTION private.caller_own_courses()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query select c.id from public.courses c where c.mentor_id = auth.uid();
end
$function$;
comment on function private.caller_own_courses() is 'Courses the caller wrote.';
grant execute on function private.caller_own_courses() to authenticated;

create policy select_level_or_own on public.subcategories for select to authenticated
  using (((id IN ( SELECT private.caller_shelves() AS caller_shelves)) OR ( SELECT private.caller_is_admin() AS caller_is_admin)));

create policy select_level_or_own on public.articles for select to authenticated
  using (((is_published AND (subcategory_id IN ( SELECT private.caller_subcategories() AS caller_subcategories))) OR (author_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.caller_is_admin() AS caller_is_admin)));

create policy update_level on public.articles for update to authenticated
  using ((is_published AND (subcategory_id IN ( SELECT private.caller_subcategories() AS caller_subcategories))));

create policy select_level_or_own on public.courses for select to authenticated
  using (((is_published AND (subcategory_id IN ( SELECT private.caller_subcategories() AS caller_subcategories))) OR (mentor_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.caller_is_admin() AS caller_is_admin)));

create policy update_level on public.courses for update to authenticated
  using ((is_published AND (subcategory_id IN ( SELECT private.caller_subcategories() AS caller_subcategories))));

create policy select_enrolled_or_own on public.course_modules for select to authenticated
  using (((is_published AND (course_id IN ( SELECT private.caller_enrolled_courses() AS caller_enrolled_courses))) OR (course_id IN ( SELECT private.caller_own_courses() AS caller_own_courses)) OR ( SELECT private.caller_is_admin() AS caller_is_admin)));

create policy select_own on public.article_opens for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

create policy select_own on public.article_reads for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

create policy insert_own on public.article_reads for insert to authenticated
  with check ((user_id = ( SELECT auth.uid() AS uid)));

create policy select_own on public.course_enrollments for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

create policy insert_own on public.course_enrollments for insert to authenticated
  with check ((user_id = ( SELECT auth.uid() AS uid)));

create policy update_own on public.course_enrollments for update to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

create policy select_own on public.module_completions for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

create policy insert_own on public.module_completions for insert to authenticated
  with check ((user_id = ( SELECT auth.uid() AS uid)));

-- library reading

CREATE OR REPLACE FUNCTION private.record_open(article uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.article_opens as o (user_id, article_id, last_opened_on)
  values (private.require_caller(), article, (now() at time zone 'UTC')::date)
  on conflict (user_id, article_id) do update set last_opened_on = excluded.last_opened_on
    where o.last_opened_on < excluded.last_opened_on;
  return found;
end
$function$;
comment on function private.record_open(uuid) is 'Records that the caller opened an article; true for the first time on a day.';
grant execute on function private.record_open(uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.tg_articles__count_open()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if not private.is_outside_caller() then
    return new;
  end if;
  if private.record_open(old.id) then
    old.read_count := old.read_count + 1;
  end if;
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_articles__one_at_a_time()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if (select count(*) from opened) > 1 then
    perform private.fail('FF402', 'Open one article at a time.');
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_readable(article uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
begin
  if not exists (
    select from public.articles a
    where a.id = article and a.is_published and a.subcategory_id in (select private.caller_subcategories())
  ) then
    perform private.fail('FF401', 'This article is not open to you.');
  end if;
  if not exists (select from public.article_opens o where o.user_id = caller and o.article_id = article) then
    perform private.fail('FF403', 'Open the article before you mark it as read.');
  end if;
  perform private.enforce_rate_limit(caller, 'article_read');
end
$function$;
comment on function private.require_readable(uuid) is 'Raises FF401, FF403 or FF300 unless the caller may mark the article as read now.';
grant execute on function private.require_readable(uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.tg_article_reads__guard_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- A row for another account is not changed: the policy refuses it next. The primary key refuses a second one.
  if private.is_outside_caller() and new.user_id = auth.uid()
    and not exists (
      select from public.article_reads r where r.user_id = new.user_id and r.article_id = new.article_id
    )
  then
    perform private.require_readable(new.article_id);
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_article_reads__record()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.record_progress_event(new.user_id, 'article_read', new.article_id::text, s.main_category)
  from public.articles a join public.subcategories s on s.id = a.subcategory_id
  where a.id = new.article_id;
  return null;
end
$function$;

-- library courses

CREATE OR REPLACE FUNCTION private.tg_courses__keep_counts()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return case when private.is_outside_caller() then old else new end;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_course_enrollments__keep_progress()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return case when private.is_outside_caller() then old else new end;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_course_enrollments__guard_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- A row for another account is not changed: the policy refuses it next.
  if private.is_outside_caller() and new.user_id = auth.uid() and not exists (
    select from public.courses c
    where c.id = new.course_id and c.is_published and c.subcategory_id in (select private.caller_subcategories())
  ) then
    perform private.fail('FF404', 'This course is not open to you.');
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_course_enrollments__count()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.courses c where c.id in (select course_id from changed) order by c.id for no key update;
  update public.courses c
  set enrollment_count = greatest(0, c.enrollment_count + case tg_op when 'INSERT' then n.members else -n.members end)
  from (select course_id, count(*)::integer as members from changed group by course_id) n
  where c.id = n.course_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.refresh_progress(course uuid, member uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  category text := (
    select s.main_category from public.courses c join public.subcategories s on s.id = c.subcategory_id where c.id = course
  );
  total integer;
  enrolment record;
begin
  -- Counted after the lock is taken.
  perform from public.course_enrollments e
  where e.course_id = course and e.completed_at is null and (member is null or e.user_id = member)
  order by e.user_id for update;
  total := (select count(*) from public.course_modules m where m.course_id = course and m.is_published);
  if total = 0 then
    return;
  end if;
  for enrolment in
    select e.user_id, (
      select count(*) from public.module_completions d join public.course_modules m on m.id = d.module_id
      where d.user_id = e.user_id and m.course_id = course and m.is_published
    )::integer as done
    from public.course_enrollments e
    where e.course_id = course and e.completed_at is null and (member is null or e.user_id = member)
    order by e.user_id
  loop
    update public.course_enrollments e
    set progress_percentage = round(100.0 * enrolment.done / total),
      completed_at = case when enrolment.done = total then clock_timestamp() end
    where e.course_id = course and e.user_id = enrolment.user_id;
    if enrolment.done = total then
      perform private.record_progress_event(enrolment.user_id, 'course_completed', course::text, category);
    end if;
  end loop;
end
$function$;
comment on function private.refresh_progress(uuid,uuid) is 'Updates the progress of uncompleted enrolments of one member or of all; completes those with every module done.';

CREATE OR REPLACE FUNCTION private.lock_enrollment(module uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  course uuid;
begin
  select m.course_id into course from public.course_modules m where m.id = module and m.is_published for key share;
  if course is null or course not in (select private.caller_enrolled_courses()) then
    perform private.fail('FF405', 'Enrol in the course first.');
  end if;
  perform from public.course_enrollments e where e.user_id = caller and e.course_id = course for update;
end
$function$;
comment on function private.lock_enrollment(uuid) is 'Locks the caller''s enrolment in the course of a module; raises FF405 without one.';
grant execute on function private.lock_enrollment(uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.tg_module_completions__guard_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if private.is_outside_caller() and new.user_id = auth.uid() then
    perform private.lock_enrollment(new.module_id);
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_module_completions__count()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.refresh_progress(p.course_id, p.user_id)
  from (
    select distinct m.course_id, a.user_id from added a
    join public.course_modules m on m.id = a.module_id order by m.course_id, a.user_id
  ) p;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_course_modules__count()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  course uuid;
begin
  for course in select distinct c.course_id from changed c order by c.course_id loop
    perform from public.courses c where c.id = course for no key update;
    update public.courses c set module_count = m.modules
    from (
      select count(*)::integer as modules from public.course_modules m where m.course_id = course and m.is_published
    ) m
    where c.id = course and c.module_count <> m.modules;
    perform private.refresh_progress(course);
  end loop;
  return null;
end
$function$;

-- library pages

CREATE OR REPLACE FUNCTION private.category_access(category text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  needed integer := private.category_level(category);
  level integer := private.caller_effective_level();
begin
  if needed is null then
    perform private.fail('FF406', 'There is no such category.');
  end if;
  return jsonb_build_object(
    'category', category, 'required_level', needed, 'level', level, 'is_open', level >= needed
  );
end
$function$;
comment on function private.category_access(text) is 'The category with its level, the caller''s level and whether it is open, for every page of the library.';
grant execute on function private.category_access(text) to authenticated;

CREATE OR REPLACE FUNCTION private.require_shelf(shelf text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if shelf is null or shelf not in ('articles', 'courses') then
    perform private.fail('FF407', 'A shelf holds articles or courses.');
  end if;
end
$function$;
comment on function private.require_shelf(text) is 'Raises FF407 for anything but articles and courses.';
grant execute on function private.require_shelf(text) to authenticated;

CREATE OR REPLACE FUNCTION public.category_home(category text, shelf text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  gate jsonb := private.category_access(category);
  cards jsonb;
begin
  perform private.require_shelf(shelf);
  with items as (
    select a.subcategory_id, r.article_id is not null as done, false as free, false as begun
    from public.articles a
    left join public.article_reads r on r.article_id = a.id and r.user_id = auth.uid()
    where shelf = 'articles' and a.is_published
    union all
    select c.subcategory_id, e.completed_at is not null, c.is_free, e.course_id is not null
    from public.courses c
    left join public.course_enrollments e on e.course_id = c.id and e.user_id = auth.uid()
    where shelf = 'courses' and c.is_published
  ),
  counts as (
    select i.subcategory_id, count(*)::integer as items, (count(*) filter (where i.done))::integer as done,
      (count(*) filter (where i.free))::integer as free, (count(*) filter (where i.begun))::integer as begun
    from items i group by i.subcategory_id
  )
  select coalesce(jsonb_agg(jsonb_build_object(
      'id', s.id, 'slug', s.slug, 'name', s.name, 'description', s.description, 'color', s.color, 'icon', s.icon,
      'item_count', coalesce(n.items, 0), 'done_count', coalesce(n.done, 0),
      'free_count', coalesce(n.free, 0), 'enrolled_count', coalesce(n.begun, 0),
      'progress', coalesce(round(100.0 * n.done / n.items), 0), 'is_complete', coalesce(n.done = n.items, false)
    ) order by s.display_order, s.name), '[]')
    into cards
  from public.subcategories s left join counts n on n.subcategory_id = s.id
  where s.main_category = category and s.is_active;
  return gate || jsonb_build_object('shelf', shelf, 'subcategories', cards);
end
$function$;
comment on function public.category_home(text,text) is 'The page of a category as one object: the category and a card for each subcategory with the caller''s counts.';
grant execute on function public.category_home(text,text) to authenticated;

CREATE OR REPLACE FUNCTION private.article_cards(subcategory uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', a.id, 'slug', a.slug, 'title', a.title, 'excerpt', a.excerpt, 'featured_image_url', a.featured_image_url,
      'is_featured', a.is_featured, 'estimated_read_time', a.estimated_read_time, 'tags', a.tags,
      'read_count', a.read_count, 'created_at', a.created_at, 'author_first_name', p.first_name, 'author_role', p.role,
      'is_read', r.article_id is not null
    ) order by a.is_featured desc, a.created_at desc, a.display_order)
    from public.articles a
    left join public.profiles p on p.id = a.author_id
    left join public.article_reads r on r.article_id = a.id and r.user_id = auth.uid()
    where a.subcategory_id = subcategory and a.is_published
  ), '[]');
end
$function$;
comment on function private.article_cards(uuid) is 'Cards of the published articles of a subcategory, featured first, then newest.';
grant execute on function private.article_cards(uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.course_cards(subcategory uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', c.id, 'slug', c.slug, 'title', c.title, 'description', c.description, 'thumbnail_url', c.thumbnail_url,
      'is_featured', c.is_featured, 'is_free', c.is_free, 'price', c.price, 'estimated_duration', c.estimated_duration,
      'difficulty_level', c.difficulty_level, 'enrollment_count', c.enrollment_count, 'module_count', c.module_count,
      'created_at', c.created_at, 'mentor_first_name', p.first_name, 'mentor_role', p.role,
      'is_enrolled', e.course_id is not null, 'progress_percentage', coalesce(e.progress_percentage, 0),
      'completed_at', e.completed_at
    ) order by c.is_featured desc, c.created_at desc, c.display_order)
    from public.courses c
    left join public.profiles p on p.id = c.mentor_id
    left join public.course_enrollments e on e.course_id = c.id and e.user_id = auth.uid()
    where c.subcategory_id = subcategory and c.is_published
  ), '[]');
end
$function$;
comment on function private.course_cards(uuid) is 'Cards of the published courses of a subcategory, featured first, then newest.';
grant execute on function private.course_cards(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.subcategory_page(category text, slug text, shelf text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  gate jsonb := private.category_access(category);
  found_shelf public.subcategories;
begin
  perform private.require_shelf(shelf);
  select s.* into found_shelf from public.subcategories s
  where s.main_category = category and s.slug = subcategory_page.slug and s.is_active;
  if not found then
    return gate || jsonb_build_object('shelf', shelf, 'subcategory', null, 'items', '[]'::jsonb);
  end if;
  return gate || jsonb_build_object(
    'shelf', shelf,
    'subcategory', jsonb_build_object(
      'id', found_shelf.id, 'slug', found_shelf.slug, 'name', found_shelf.name,
      'description', found_shelf.description, 'color', found_shelf.color, 'icon', found_shelf.icon
    ),
    'items', case shelf when 'articles' then private.article_cards(found_shelf.id) else private.course_cards(found_shelf.id) end
  );
end
$function$;
comment on function public.subcategory_page(text,text,text) is 'The page of a subcategory as one object: the category, the subcategory (null when the caller sees none) and its cards.';
grant execute on function public.subcategory_page(text,text,text) to authenticated;

-- library retention

create table private.content_imports (
  id bigint generated always as identity not null,
  imported_at timestamp with time zone default now() not null,
  source text not null,
  digest text not null,
  changes integer not null,
  constraint content_imports_pkey PRIMARY KEY (id),
  constraint content_imports_source_check CHECK ((source = ANY (ARRAY['shipped'::text, 'operator'::text])))
);
comment on table private.content_imports is 'Imports of the library, oldest first.';
comment on column private.content_imports.source is 'shipped: the product''s own library, updated at each start. operator: an import by the operator, which a start does not replace.';
comment on column private.content_imports.digest is 'Hash of the files.';
alter table private.content_imports enable row level security;

CREATE OR REPLACE FUNCTION private.export_part_library(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'article_opens', coalesce((
      select jsonb_agg(to_jsonb(o) order by o.last_opened_on, o.article_id)
      from public.article_opens o where o.user_id = member
    ), '[]'),
    'article_reads', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.created_at, r.article_id)
      from public.article_reads r where r.user_id = member
    ), '[]'),
    'course_enrollments', coalesce((
      select jsonb_agg(to_jsonb(e) order by e.created_at, e.course_id)
      from public.course_enrollments e where e.user_id = member
    ), '[]'),
    'module_completions', coalesce((
      select jsonb_agg(to_jsonb(d) order by d.created_at, d.module_id)
      from public.module_completions d where d.user_id = member
    ), '[]'),
    'articles_written', coalesce((
      select jsonb_agg(to_jsonb(a) order by a.created_at, a.id) from public.articles a where a.author_id = member
    ), '[]'),
    'courses_written', coalesce((
      select jsonb_agg(to_jsonb(c) || jsonb_build_object('modules', (
        select coalesce(jsonb_agg(to_jsonb(m) order by m.module_order), '[]')
        from public.course_modules m where m.course_id = c.id
      )) order by c.created_at, c.id)
      from public.courses c where c.mentor_id = member
    ), '[]')
  )
$function$;
comment on function private.export_part_library(uuid) is 'Opened and read articles, enrolments, completed modules, and articles and courses written by one account.';

-- search

create table private.search_documents (
  kind text not null,
  id text not null,
  category text,
  min_level integer not null,
  is_public boolean not null,
  owner_id uuid,
  title text not null,
  excerpt text not null,
  body text not null,
  path text not null,
  document tsvector not null,
  words text[] not null,
  constraint search_documents_pkey PRIMARY KEY (kind, id),
  constraint search_documents_kind_check CHECK ((kind = ANY (ARRAY['article'::text, 'course'::text, 'room'::text, 'submission'::text])))
);
comment on table private.search_documents is 'The search index; kept by triggers on the indexed tables.';
comment on column private.search_documents.min_level is 'Level a member needs to find the document.';
comment on column private.search_documents.is_public is 'False for drafts and hidden content, which only the owner finds.';
comment on column private.search_documents.body is 'Plain text, from which excerpts are cut.';
comment on column private.search_documents.words is 'Words this document added to search_words, for deleting them with it.';
CREATE INDEX search_documents_document_idx ON private.search_documents USING gin (document);
CREATE INDEX search_documents_words_idx ON private.search_documents USING gin (words);
alter table private.search_documents enable row level security;
CREATE TRIGGER search_documents__forget_words AFTER DELETE ON private.search_documents FOR EACH ROW EXECUTE FUNCTION private.tg_search_documents__forget_words();

create table private.search_words (
  word text not null,
  constraint search_words_pkey PRIMARY KEY (word)
);
comment on table private.search_words is 'Words of the documents, for recognising misspelt words. Not readable by clients.';
CREATE INDEX search_words_near_idx ON private.search_words USING gist (word extensions.gist_trgm_ops);
alter table private.search_words enable row level security;

CREATE OR REPLACE FUNCTION private.plain_text(markdown text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select btrim(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    markdown,
    '!?\[([^\]]*)\]\([^)]*\)', '\1', 'g'),
    '(^|\n)[ \t]*(#{1,6}|>|[-*+]( \[[ xX]\])?|[0-9]+[.)]|[|:-]{3,})[ \t]*', '\1', 'g'),
    '[*`]+', '', 'g'),
    '[|\s]+', ' ', 'g'))
$function$;
comment on function private.plain_text(text) is 'Markdown without links, headings, lists, tables and emphasis.';

CREATE OR REPLACE FUNCTION private.forget_words(candidates text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Always locked in the same order, which rules out deadlocks.
  perform from private.search_words k where k.word = any (candidates) order by k.word for update;
  delete from private.search_words k
  where k.word = any (candidates) and not exists (
    select from private.search_documents d where d.words @> array[k.word]
  );
end
$function$;
comment on function private.forget_words(text[]) is 'Deletes those of the words that no document contains any more.';

CREATE OR REPLACE FUNCTION private.tg_search_documents__forget_words()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.forget_words(old.words);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.index_document(document private.search_documents, extra text, words text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  former text[];
begin
  document.document :=
    setweight(to_tsvector('pg_catalog.english', document.title), 'A')
    || setweight(to_tsvector('pg_catalog.english', document.excerpt || ' ' || extra), 'B')
    || setweight(to_tsvector('pg_catalog.english', document.body), 'D');
  document.words := array(
    select distinct w.parts[1] from regexp_matches(lower(words), '[[:alpha:]]{4,30}', 'g') as w (parts) order by 1
  );
  former := coalesce(
    (select d.words from private.search_documents d where d.kind = document.kind and d.id = document.id for update), '{}'
  );
  insert into private.search_documents select document.*
  on conflict (kind, id) do update set
    category = excluded.category, min_level = excluded.min_level, is_public = excluded.is_public,
    owner_id = excluded.owner_id, title = excluded.title, excerpt = excluded.excerpt, body = excluded.body,
    path = excluded.path, document = excluded.document, words = excluded.words;
  -- Always inserted in the same order, which rules out deadlocks between texts with the same new words.
  insert into private.search_words (word)
  select w.word from unnest(document.words) as w (word)
  where not exists (select from private.search_words k where k.word = w.word)
  order by 1
  on conflict do nothing;
  perform private.forget_words(array(select unnest(former) except select unnest(document.words)));
end
$function$;
comment on function private.index_document(private.search_documents,text,text) is 'Replaces a search document and adds the given words to search_words.';

CREATE OR REPLACE FUNCTION private.index_article(article uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.index_document(
    row(
      'article', a.id::text, s.main_category, private.category_level(s.main_category), a.is_published and s.is_active,
      a.author_id, a.title, a.excerpt, private.plain_text(a.content),
      private.shelf_path(s.main_category, 'foundations', s.slug) || '/' || a.id, null, '{}'
    )::private.search_documents,
    array_to_string(a.tags, ' ') || ' ' || s.name,
    concat_ws(' ', a.title, a.excerpt, array_to_string(a.tags, ' '), s.name, a.content)
  )
  from public.articles a join public.subcategories s on s.id = a.subcategory_id
  where a.id = article
$function$;
comment on function private.index_article(uuid) is 'Updates the search document of an article.';

CREATE OR REPLACE FUNCTION private.index_course(course uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.index_document(
    row(
      'course', c.id::text, s.main_category, private.category_level(s.main_category), c.is_published and s.is_active,
      c.mentor_id, c.title, c.description, '',
      private.shelf_path(s.main_category, 'courses', s.slug) || '/' || c.id, null, '{}'
    )::private.search_documents,
    s.name || ' ' || c.difficulty_level,
    concat_ws(' ', c.title, c.description, s.name)
  )
  from public.courses c join public.subcategories s on s.id = c.subcategory_id
  where c.id = course
$function$;
comment on function private.index_course(uuid) is 'Updates the search document of a course.';

CREATE OR REPLACE FUNCTION private.tg_articles__index()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.index_article(new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_articles__unindex()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.search_documents d where d.kind = 'article' and d.id = old.id::text;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_courses__index()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.index_course(new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_courses__unindex()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.search_documents d where d.kind = 'course' and d.id = old.id::text;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_subcategories__index()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.index_article(a.id) from public.articles a where a.subcategory_id = new.id;
  perform private.index_course(c.id) from public.courses c where c.subcategory_id = new.id;
  return null;
end
$function$;

-- search library

CREATE OR REPLACE FUNCTION private.search_term(word text, is_last boolean)
 RETURNS tsquery
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  term tsquery := plainto_tsquery('pg_catalog.english', word);
  near text;
begin
  if numnode(term) = 0 then
    return null;
  end if;
  if is_last then
    term := term || (quote_literal(word) || ':*')::tsquery;
  end if;
  if char_length(word) < 4 or exists (select from private.search_words k where k.word = search_term.word) then
    return term;
  end if;
  for near in
    select k.word from (
      select w.word from private.search_words w order by w.word operator(extensions.<->) search_term.word limit 40
    ) k
    where extensions.levenshtein(k.word, search_term.word) <= case when char_length(search_term.word) < 5 then 1 else 2 end
    order by extensions.levenshtein(k.word, search_term.word), left(k.word, 1) <> left(search_term.word, 1), k.word
    limit 3
  loop
    term := term || plainto_tsquery('pg_catalog.english', near);
  end loop;
  return term;
end
$function$;
comment on function private.search_term(text,boolean) is 'One word of a search with its forms and, when unknown, similar words; null for stop words.';

CREATE OR REPLACE FUNCTION private.search_library(query text, max_results integer)
 RETURNS TABLE(kind text, id text, title text, excerpt text, category text, path text, rank real)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  caller uuid := private.require_caller();
  level integer := private.effective_level(caller);
  words text[] := array(
    select m.parts[1] from regexp_matches(lower(left(query, 200)), '[[:alnum:]]{1,30}', 'g') with ordinality as m (parts, place)
    order by m.place limit 10
  );
  term tsquery;
  every_word tsquery;
  any_word tsquery;
  wanted tsquery;
begin
  for place in 1 .. cardinality(words) loop
    term := private.search_term(words[place], place = cardinality(words));
    if term is not null then
      every_word := coalesce(every_word && term, term);
      any_word := coalesce(any_word || term, term);
    end if;
  end loop;
  foreach wanted in array array[every_word, any_word] loop
    return query
      with hits as (
        select d.kind, d.id, d.title, d.excerpt, d.category, d.path, d.body,
          ts_rank(d.document, wanted, 1) as rank
        from private.search_documents d
        where d.document @@ wanted and (d.is_public and d.min_level <= level or d.owner_id = caller)
        order by rank desc, d.title, d.id
        limit least(greatest(coalesce(max_results, 20), 1), 50)
      )
      select f.kind, f.id, f.title,
        case
          when f.body = '' or to_tsvector('pg_catalog.english', f.title || ' ' || f.excerpt) @@ wanted then f.excerpt
          else ts_headline('pg_catalog.english', f.body, wanted,
            'StartSel="", StopSel="", MaxFragments=1, MinWords=12, MaxWords=30')
        end,
        f.category, f.path, f.rank
      from hits f order by f.rank desc, f.title, f.id;
    exit when found;
  end loop;
end
$function$;
comment on function private.search_library(text,integer) is 'Documents the caller may read with every word; without any result, those with at least one.';
grant execute on function private.search_library(text,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.search_library(query text, max_results integer DEFAULT 20)
 RETURNS TABLE(kind text, id text, title text, excerpt text, category text, path text, rank real)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select * from private.search_library(query, max_results)
$function$;
comment on function public.search_library(text,integer) is 'Articles, courses, rooms and submissions the caller may read, best first, at most 50; typing errors are forgiven.';
grant execute on function public.search_library(text,integer) to authenticated;

-- search community

CREATE OR REPLACE FUNCTION private.index_room(room text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.index_document(
    row(
      'room', r.id, null, r.min_level_required, r.is_active, null, r.name, r.description, '', '/chats/' || r.id, null, '{}'
    )::private.search_documents,
    '', r.name || ' ' || r.description
  )
  from public.chat_rooms r where r.id = room
$function$;
comment on function private.index_room(text) is 'Updates the search document of a chat room.';

CREATE OR REPLACE FUNCTION private.index_submission(submission uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.index_document(
    row(
      'submission', s.id::text, null, 1, true, s.user_id, s.title, left(regexp_replace(s.content, '\s+', ' ', 'g'), 200),
      s.content, '/learning/submissions#' || s.id, null, '{}'
    )::private.search_documents,
    replace(s.submission_type, '_', ' '), s.title
  )
  from public.learning_submissions s where s.id = submission
$function$;
comment on function private.index_submission(uuid) is 'Updates the search document of a submission.';

CREATE OR REPLACE FUNCTION private.tg_chat_rooms__index()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.index_room(new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_chat_rooms__unindex()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.search_documents d where d.kind = 'room' and d.id = old.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_learning_submissions__index()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.index_submission(new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_learning_submissions__unindex()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.search_documents d where d.kind = 'submission' and d.id = old.id::text;
  return null;
end
$function$;

-- account deletion

CREATE OR REPLACE FUNCTION private.tg_profiles__record_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.audit(null, 'profile.deleted', old.id, jsonb_build_object('role', old.role));
  return old;
end
$function$;

-- admin appointments

create table private.pending_admins (
  user_id uuid not null,
  expires_at timestamp with time zone not null,
  constraint pending_admins_pkey PRIMARY KEY (user_id),
  constraint pending_admins_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table private.pending_admins is 'Accounts that become administrators when they choose a password before expires_at.';
alter table private.pending_admins enable row level security;

CREATE OR REPLACE FUNCTION private.appoint_admin(member uuid, expires_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.profiles (id) values (member) on conflict (id) do nothing;
  update public.profiles p set role = private.plan_role(member) where p.id = member and p.role = 'admin';
  insert into private.pending_admins as a (user_id, expires_at) values (member, appoint_admin.expires_at)
  on conflict (user_id) do update set expires_at = excluded.expires_at;
  perform private.audit(null, 'account.appointed_admin', member);
end
$function$;
comment on function private.appoint_admin(uuid,timestamp with time zone) is 'Makes an account an administrator once it chooses a password in time. Audited.';

CREATE OR REPLACE FUNCTION private.tg_users__promote_pending_admin()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  expires timestamptz;
begin
  delete from private.pending_admins a where a.user_id = new.id returning a.expires_at into expires;
  if expires > now() then
    perform private.make_admin(new.id);
  end if;
  return null;
end
$function$;

CREATE TRIGGER users__promote_pending_admin AFTER UPDATE OF encrypted_password ON auth.users FOR EACH ROW WHEN (((old.encrypted_password)::text IS DISTINCT FROM (new.encrypted_password)::text)) EXECUTE FUNCTION private.tg_users__promote_pending_admin();

-- billing charges

create table private.payment_records (
  id bigint generated always as identity not null,
  recorded_at timestamp with time zone default now() not null,
  kind text not null,
  provider_id text not null,
  status text not null,
  charge_id text not null,
  customer_id text not null,
  subscription_id text,
  amount bigint not null,
  currency text not null,
  reason text,
  happened_at timestamp with time zone not null,
  respond_by timestamp with time zone,
  constraint payment_records_once UNIQUE (provider_id, status),
  constraint payment_records_pkey PRIMARY KEY (id),
  constraint payment_records_kind_check CHECK ((kind = ANY (ARRAY['payment'::text, 'refund'::text, 'dispute'::text])))
);
comment on table private.payment_records is 'Payments, refunds and disputes in the order in which they became known; rows are only ever added.';
comment on column private.payment_records.provider_id is 'Id of the payment, refund or dispute at the card provider.';
comment on column private.payment_records.customer_id is 'References the account through stripe_customers while it exists. The record outlives the account and names no person.';
comment on column private.payment_records.amount is 'In the smallest unit of the currency.';
comment on column private.payment_records.respond_by is 'Until when the bank of a dispute takes evidence; null where it takes none.';
CREATE INDEX payment_records_charge_id_idx ON private.payment_records USING btree (charge_id);
CREATE INDEX payment_records_customer_id_idx ON private.payment_records USING btree (customer_id, id);
CREATE INDEX payment_records_time_idx ON private.payment_records USING btree (kind, happened_at DESC, provider_id DESC);
alter table private.payment_records enable row level security;
CREATE TRIGGER payment_records__append_only BEFORE DELETE OR UPDATE ON private.payment_records FOR EACH ROW EXECUTE FUNCTION private.tg_payment_records__append_only();
CREATE TRIGGER payment_records__email AFTER INSERT ON private.payment_records FOR EACH ROW WHEN ((new.happened_at > (now() - '30 days'::interval))) EXECUTE FUNCTION private.tg_payment_records__email();
CREATE TRIGGER payment_records__settle_commission AFTER INSERT ON private.payment_records FOR EACH ROW WHEN ((new.kind = 'payment'::text)) EXECUTE FUNCTION private.tg_payment_records__settle_commission();

CREATE OR REPLACE FUNCTION private.tg_payment_records__append_only()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception 'payment records are only ever added';
end
$function$;

CREATE OR REPLACE FUNCTION private.billing_apply_charge(ticket bigint, snapshot jsonb)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  customer text := snapshot ->> 'customer_id';
  charge text := snapshot ->> 'charge_id';
begin
  perform from public.stripe_customers c where c.customer_id = customer for update;
  if not found then
    return 'unknown_customer';
  end if;
  insert into private.billing_charges as c (
    charge_id, customer_id, subscription_id, ticket, is_refunded, period_start, period_end, dispute, amount_refunded,
    invoice_id, amount, card_brand, card_last4, upgraded_from, upgraded_to, card_hash
  ) values (
    charge, customer, snapshot ->> 'subscription_id', billing_apply_charge.ticket, (snapshot ->> 'is_refunded')::boolean,
    (snapshot ->> 'period_start')::bigint, (snapshot ->> 'period_end')::bigint, snapshot ->> 'dispute',
    (snapshot ->> 'amount_refunded')::bigint, snapshot ->> 'invoice_id', (snapshot ->> 'amount')::bigint,
    snapshot ->> 'card_brand', snapshot ->> 'card_last4', snapshot ->> 'upgraded_from', snapshot ->> 'upgraded_to',
    (select extensions.hmac(convert_to(snapshot ->> 'card_fingerprint', 'utf8'), k.key, 'sha256') from private.trial_card_keys k)
  )
  on conflict (charge_id) do update set
    subscription_id = excluded.subscription_id, ticket = excluded.ticket, is_refunded = excluded.is_refunded,
    period_start = excluded.period_start, period_end = excluded.period_end, dispute = excluded.dispute,
    amount_refunded = excluded.amount_refunded, invoice_id = excluded.invoice_id, amount = excluded.amount,
    card_brand = excluded.card_brand, card_last4 = excluded.card_last4, upgraded_from = excluded.upgraded_from,
    upgraded_to = excluded.upgraded_to, card_hash = coalesce(excluded.card_hash, c.card_hash)
  where c.ticket < excluded.ticket;
  if not found then
    return 'stale';
  end if;
  perform private.billing_note_payment(snapshot ->> 'invoice_id');
  insert into private.payment_records (
    kind, provider_id, status, charge_id, customer_id, subscription_id, amount, currency, reason, happened_at, respond_by
  )
  select r ->> 'kind', r ->> 'id', r ->> 'status', charge, customer, snapshot ->> 'subscription_id',
    (r ->> 'amount')::bigint, snapshot ->> 'currency', r ->> 'reason', to_timestamp((r ->> 'created')::bigint), to_timestamp((r ->> 'respond_by')::bigint)
  from jsonb_array_elements(snapshot -> 'records') r
  on conflict on constraint payment_records_once do nothing;
  return 'applied';
end
$function$;
comment on function private.billing_apply_charge(bigint,jsonb) is 'Writes one reading of a payment and its new states: applied, stale or unknown_customer.';
grant execute on function private.billing_apply_charge(bigint,jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.billing_price_before_upgrade(subscription text, price text, latest_invoice text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c.upgraded_from from private.billing_charges c
  where c.subscription_id = subscription and c.invoice_id = latest_invoice and c.is_refunded and c.upgraded_to = price
  limit 1
$function$;
comment on function private.billing_price_before_upgrade(text,text,text) is 'The price that counts instead of this one of a subscription, because the upgrade to it was refunded; null when it was not.';
grant execute on function private.billing_price_before_upgrade(text,text,text) to service_role;

CREATE OR REPLACE FUNCTION private.billing_known_charges(charges text[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_object_agg(c.charge_id, jsonb_build_object(
    'amount_refunded', c.amount_refunded, 'dispute', c.dispute
  )), '{}') from private.billing_charges c where c.charge_id = any (charges)
$function$;
comment on function private.billing_known_charges(text[]) is 'The last reading of each of these payments, by id.';
grant execute on function private.billing_known_charges(text[]) to service_role;

CREATE OR REPLACE FUNCTION private.billing_catalogue()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'price_id', o.price_id, 'plan_id', p.id, 'role', p.role, 'amount', p.amount_pence,
    'currency', lower(p.currency), 'interval', p."interval", 'is_current', o.price_id = p.price_id and p.is_active
  ) order by o.price_id), '[]')
  from private.plan_prices o join public.plans p on p.id = o.plan_id
$function$;
comment on function private.billing_catalogue() is 'Prices of the card provider with their plan and expected amount.';
grant execute on function private.billing_catalogue() to service_role;

CREATE OR REPLACE FUNCTION private.billing_own_purchases(subscriptions text[])
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select a.subscription_id from private.billing_attempts a where a.subscription_id = any (subscriptions)
$function$;
comment on function private.billing_own_purchases(text[]) is 'Which of the subscriptions were bought in the app.';
grant execute on function private.billing_own_purchases(text[]) to service_role;

CREATE OR REPLACE FUNCTION private.billing_flag(customer text, reason text, detail jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  member uuid;
begin
  select c.user_id into member from public.stripe_customers c where c.customer_id = customer;
  insert into private.account_flags (user_id, reason)
  select member, billing_flag.reason where member is not null on conflict do nothing;
  if not found then
    return false;
  end if;
  perform private.audit(null, 'billing.flagged', member, detail || jsonb_build_object('reason', reason));
  return true;
end
$function$;
comment on function private.billing_flag(text,text,jsonb) is 'Flags the account of a customer for review; false when it was flagged before.';
grant execute on function private.billing_flag(text,text,jsonb) to service_role;

CREATE OR REPLACE FUNCTION public.billing_apply_charge(ticket bigint, snapshot jsonb)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_apply_charge(ticket, snapshot) $function$;
comment on function public.billing_apply_charge(bigint,jsonb) is 'Server: write one reading of a payment.';
grant execute on function public.billing_apply_charge(bigint,jsonb) to service_role;

CREATE OR REPLACE FUNCTION public.billing_price_before_upgrade(subscription text, price text, latest_invoice text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.billing_price_before_upgrade(subscription, price, latest_invoice) $function$;
comment on function public.billing_price_before_upgrade(text,text,text) is 'Server: the price before an upgrade that was refunded.';
grant execute on function public.billing_price_before_upgrade(text,text,text) to service_role;

CREATE OR REPLACE FUNCTION public.billing_known_charges(charges text[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.billing_known_charges(charges) $function$;
comment on function public.billing_known_charges(text[]) is 'Server: the last readings of these payments.';
grant execute on function public.billing_known_charges(text[]) to service_role;

CREATE OR REPLACE FUNCTION public.billing_catalogue()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.billing_catalogue() $function$;
comment on function public.billing_catalogue() is 'Server: every price a membership was sold at.';
grant execute on function public.billing_catalogue() to service_role;

CREATE OR REPLACE FUNCTION public.billing_own_purchases(subscriptions text[])
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.billing_own_purchases(subscriptions) $function$;
comment on function public.billing_own_purchases(text[]) is 'Server: which subscriptions were bought in the app.';
grant execute on function public.billing_own_purchases(text[]) to service_role;

CREATE OR REPLACE FUNCTION public.billing_flag(customer text, reason text, detail jsonb)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_flag(customer, reason, detail) $function$;
comment on function public.billing_flag(text,text,jsonb) is 'Server: flag an account for review.';
grant execute on function public.billing_flag(text,text,jsonb) to service_role;

-- recovery codes

create table private.recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  created_at timestamp with time zone default now() not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table private.recovery_codes is 'Recovery codes of accounts, hashed. Each has 80 random bits, so a plain hash is enough.';
comment on column private.recovery_codes.code_hash is 'SHA-256 of account and code.';
alter table private.recovery_codes enable row level security;

CREATE OR REPLACE FUNCTION private.recovery_code_hash(member uuid, code text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select sha256(convert_to(
    member::text || ':' || translate(regexp_replace(lower(code), '[^0-9a-z]', '', 'g'), 'oil', '011'), 'utf8'
  ))
$function$;
comment on function private.recovery_code_hash(uuid,text) is 'Hash of a recovery code, as stored.';

CREATE OR REPLACE FUNCTION private.new_recovery_code()
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select regexp_replace(
    string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', (get_byte(r.bytes, i) & 31) + 1, 1), '' order by i),
    '(....)(....)(....)(....)', '\1-\2-\3-\4'
  )
  from (select extensions.gen_random_bytes(16) as bytes) as r, generate_series(0, 15) as i
$function$;
comment on function private.new_recovery_code() is 'Sixteen random characters of 5 bits each, in groups of four.';

CREATE OR REPLACE FUNCTION private.generate_recovery_codes()
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  codes text[];
begin
  perform private.require_aal2();
  perform private.enforce_rate_limit(caller, 'recovery_codes');
  codes := array(select private.new_recovery_code() from generate_series(1, 10));
  delete from private.recovery_codes c where c.user_id = caller;
  insert into private.recovery_codes (user_id, code_hash)
  select caller, private.recovery_code_hash(caller, code) from unnest(codes) as code;
  perform private.audit(caller, 'recovery_codes.generated', caller);
  return query select unnest(codes);
end
$function$;
comment on function private.generate_recovery_codes() is 'Ten new codes for the calling account; earlier ones become invalid. Raises FF005 without a second factor.';
grant execute on function private.generate_recovery_codes() to authenticated;

CREATE OR REPLACE FUNCTION public.generate_recovery_codes()
 RETURNS SETOF text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.generate_recovery_codes() $function$;
comment on function public.generate_recovery_codes() is 'Ten new recovery codes, shown only now; earlier ones become invalid.';
grant execute on function public.generate_recovery_codes() to authenticated;

CREATE OR REPLACE FUNCTION private.recovery_code_status()
 RETURNS TABLE(codes_left integer, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
begin
  return query
    select count(*) filter (where c.used_at is null)::integer, max(c.created_at)
    from private.recovery_codes c where c.user_id = caller;
end
$function$;
comment on function private.recovery_code_status() is 'Number of unused codes of the calling account and when they were generated.';
grant execute on function private.recovery_code_status() to authenticated;

CREATE OR REPLACE FUNCTION public.recovery_code_status()
 RETURNS TABLE(codes_left integer, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.recovery_code_status() $function$;
comment on function public.recovery_code_status() is 'Number of recovery codes the caller has left, one row.';
grant execute on function public.recovery_code_status() to authenticated;

CREATE OR REPLACE FUNCTION private.redeem_recovery_code(member uuid, code text, keep_session uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.recovery_codes c set used_at = now()
  where c.user_id = member and c.used_at is null and c.code_hash = private.recovery_code_hash(member, code);
  if not found then
    -- Only wrong codes are limited: an attacker's guesses must not block the owner's code, and cannot find 80 bits.
    perform private.enforce_rate_limit(member, 'recovery_code');
    return false;
  end if;
  update auth.mfa_factors f set status = 'unverified', updated_at = now()
  where f.user_id = member and f.status = 'verified';
  delete from auth.sessions s where s.user_id = member and s.id is distinct from keep_session;
  update auth.sessions s set aal = 'aal1', factor_id = null where s.user_id = member and s.aal <> 'aal1';
  perform private.audit(member, 'recovery_code.used', member);
  return true;
end
$function$;
comment on function private.redeem_recovery_code(uuid,text,uuid) is 'Uses a recovery code: disables the factors and ends all sessions but one. False when the code is wrong or used; FF300 after five wrong codes in an hour.';
grant execute on function private.redeem_recovery_code(uuid,text,uuid) to service_role;

CREATE OR REPLACE FUNCTION public.redeem_recovery_code(member uuid, code text, keep_session uuid)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.redeem_recovery_code(member, code, keep_session) $function$;
comment on function public.redeem_recovery_code(uuid,text,uuid) is 'Server: use a recovery code of an account.';
grant execute on function public.redeem_recovery_code(uuid,text,uuid) to service_role;

-- my sessions

CREATE OR REPLACE FUNCTION private.my_sessions()
 RETURNS TABLE(id uuid, created_at timestamp with time zone, last_seen_at timestamp with time zone, user_agent text, address text, is_current boolean, has_second_factor boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  current_id text := auth.jwt() ->> 'session_id';
begin
  return query
    select s.id, s.created_at,
      greatest(s.created_at, s.refreshed_at at time zone 'utc'), s.user_agent, host(s.ip),
      s.id::text is not distinct from current_id, s.aal is not distinct from 'aal2'
    from auth.sessions s
    where s.user_id = caller and (s.not_after is null or s.not_after > now())
    order by s.id::text is not distinct from current_id desc,
      greatest(s.created_at, s.refreshed_at at time zone 'utc') desc, s.id;
end
$function$;
comment on function private.my_sessions() is 'The sessions of the calling account, the calling one first, then the one seen last.';
grant execute on function private.my_sessions() to authenticated;

CREATE OR REPLACE FUNCTION public.my_sessions()
 RETURNS TABLE(id uuid, created_at timestamp with time zone, last_seen_at timestamp with time zone, user_agent text, address text, is_current boolean, has_second_factor boolean)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.my_sessions() $function$;
comment on function public.my_sessions() is 'The caller''s sessions, one row each.';
grant execute on function public.my_sessions() to authenticated;

CREATE OR REPLACE FUNCTION private.end_session(session_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
begin
  delete from auth.sessions s where s.id = end_session.session_id and s.user_id = caller;
  return found;
end
$function$;
comment on function private.end_session(uuid) is 'Ends a session of the calling account; false when it has none with that id.';
grant execute on function private.end_session(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.end_session(session_id uuid)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.end_session(session_id) $function$;
comment on function public.end_session(uuid) is 'Signs the caller out of one device.';
grant execute on function public.end_session(uuid) to authenticated;

-- erasure

CREATE OR REPLACE FUNCTION private.erase_auth_records(member uuid, address text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from auth.audit_log_entries e
  where (
      position(member::text in e.payload::text) > 0
      or (address <> '' and position(lower(address) in lower(e.payload::text)) > 0)
    )
    and jsonb_path_exists(
      e.payload::jsonb, '$.** ? (@ == $member || @ == $address)',
      jsonb_build_object('member', member, 'address', address)
    );
  -- Has no foreign key to the account where the auth service created the table.
  delete from auth.flow_state f where f.user_id = member;
end
$function$;
comment on function private.erase_auth_records(uuid,text) is 'Deletes a removed account from the auth service''s audit log and sign-in flows.';

CREATE OR REPLACE FUNCTION private.tg_users__erase()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.erase_auth_records(old.id, coalesce(old.email, ''));
  return null;
end
$function$;

CREATE TRIGGER users__erase AFTER DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION private.tg_users__erase();

-- install marks

create table private.install_marks (
  mark text not null,
  made_at timestamp with time zone default now() not null,
  constraint install_marks_pkey PRIMARY KEY (mark),
  constraint install_marks_mark_check CHECK ((mark = ANY (ARRAY['demo_accounts'::text, 'card_sandbox'::text])))
);
comment on table private.install_marks is 'Marks of a local trial; production refuses a database that has any.';
alter table private.install_marks enable row level security;

-- locked rooms

create policy select_signed_in on public.chat_rooms for select to authenticated
  using ((is_active AND ( SELECT private.session_is_live() AS session_is_live)));
comment on policy select_signed_in on public.chat_rooms is 'Names, purposes and levels of rooms, for every signed-in account.';

-- image urls

CREATE OR REPLACE FUNCTION private.caller_api_origin()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select substring(
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'iss' from '^(https?://[^/?#\s]{1,255})/auth/v1$'
  )
$function$;
comment on function private.caller_api_origin() is 'Origin of this API, from the issuer of the caller''s token; null when the issuer names none.';
grant execute on function private.caller_api_origin() to authenticated;

CREATE OR REPLACE FUNCTION private.move_image_urls(origin text)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  moved_images integer;
  moved_pictures integer;
begin
  if origin is null or origin !~ '^https?://[^/?#\s]{1,255}$' then
    raise exception 'not the origin of an address: %', origin;
  end if;
  update public.learning_submissions s
  set image_url = origin || '/storage/v1/object/public/learning-images/' || private.image_name(s.image_url)
  where s.image_url is not null and s.image_url not like origin || '/%';
  get diagnostics moved_images = row_count;
  update public.profiles p
  set avatar_url = origin || '/storage/v1/object/public/profile-pictures/' || private.image_name(p.avatar_url)
  where p.avatar_url is not null and p.avatar_url not like origin || '/%';
  get diagnostics moved_pictures = row_count;
  return moved_images + moved_pictures;
end
$function$;
comment on function private.move_image_urls(text) is 'For the owner, after the server''s address has changed: moves the URLs of all pictures there and returns their number.';

-- profile edits

CREATE OR REPLACE FUNCTION private.require_answer(page_number integer, question text, answer text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from private.required_answers q
    where q.page_number = require_answer.page_number and q.question = require_answer.question
      and coalesce(require_answer.answer, '') !~ q.pattern
  ) and exists (select from public.profiles p where p.id = auth.uid() and p.onboarding_complete) then
    perform private.fail('FF102', 'Some required questions have not been answered.', require_answer.question);
  end if;
end
$function$;
comment on function private.require_answer(integer,text,text) is 'Raises FF102 when the caller has completed onboarding and the answer would no longer be enough for it.';
grant execute on function private.require_answer(integer,text,text) to authenticated;

-- document openings

CREATE OR REPLACE FUNCTION private.open_verification_document(verification_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  reader uuid := private.require_verified_admin();
  opened public.user_verifications;
  version text;
begin
  select v.* into opened from public.user_verifications v where v.id = open_verification_document.verification_id;
  if not found then
    perform private.fail('FF127', 'There is no such document.');
  end if;
  select s.version into version from storage.objects s
  where s.bucket_id = 'verification-documents' and s.name = opened.document_url;
  insert into private.document_openings as o (admin_id, verification_id, version, opened_at)
  values (reader, opened.id, version, clock_timestamp())
  on conflict on constraint document_openings_pkey do update set version = excluded.version, opened_at = excluded.opened_at;
  perform private.audit(
    reader, 'verification.document_opened', opened.user_id,
    jsonb_build_object('verification_id', opened.id, 'status', opened.status)
  );
  return opened.document_url;
end
$function$;
comment on function private.open_verification_document(uuid) is 'Records that the calling administrator opens the document. Returns the name of its file.';
grant execute on function private.open_verification_document(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.open_verification_document(verification_id uuid)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.open_verification_document(verification_id) $function$;
comment on function public.open_verification_document(uuid) is 'Administrators: record the opening of an identity document. The edge function of that name also hands out its bytes.';
grant execute on function public.open_verification_document(uuid) to authenticated;

-- flagged verifications

CREATE OR REPLACE FUNCTION private.flagged_accounts()
 RETURNS TABLE(user_id uuid, email text, first_name text, last_name text, reason text, flagged_at timestamp with time zone, closed_at timestamp with time zone, rejections integer, last_reason text, subscriptions jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return query
    select f.user_id, u.email::text, p.first_name, p.last_name, f.reason, f.created_at, f.closed_at,
      (select count(*)::integer from public.user_verifications v
        where v.user_id = f.user_id and v.status = 'rejected' and v.attempts_reset_at is null),
      (select v.rejected_reason from public.user_verifications v
        where v.user_id = f.user_id and v.status = 'rejected' order by v.submitted_at desc limit 1),
      case when f.reason = 'several_subscriptions' then coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', s.subscription_id, 'plan', private.plan_name(s.price_id), 'status', s.status,
          'since', s.created_at, 'is_current', s.deleted_at is null
        ) order by s.id)
        from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
        where c.user_id = f.user_id and s.status not in ('not_started', 'incomplete_expired', 'canceled')
      ), '[]') end
    from private.account_flags f
    join auth.users u on u.id = f.user_id
    left join public.profiles p on p.id = f.user_id
    order by coalesce(f.closed_at, f.created_at), f.user_id, f.reason;
end
$function$;
comment on function private.flagged_accounts() is 'Flagged accounts with what they are flagged for, oldest first; those whose form was kept closed have closed_at.';
grant execute on function private.flagged_accounts() to authenticated;

CREATE OR REPLACE FUNCTION public.flagged_accounts()
 RETURNS TABLE(user_id uuid, email text, first_name text, last_name text, reason text, flagged_at timestamp with time zone, closed_at timestamp with time zone, rejections integer, last_reason text, subscriptions jsonb)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.flagged_accounts() $function$;
comment on function public.flagged_accounts() is 'Administrators: accounts that wait for a decision, and those kept closed, oldest first.';
grant execute on function public.flagged_accounts() to authenticated;

CREATE OR REPLACE FUNCTION private.require_decision(decider uuid, member uuid, reason text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  why text := nullif(btrim(reason), '');
begin
  if why is null or char_length(why) > 1000 then
    perform private.fail('FF123', 'A decision needs a reason of at most 1000 characters.');
  end if;
  if member = decider then
    perform private.fail('FF124', 'Another administrator has to decide about your own account.');
  end if;
  return why;
end
$function$;
comment on function private.require_decision(uuid,uuid,text) is 'The trimmed reason of a decision about another account; raises FF123 or FF124 otherwise.';

CREATE OR REPLACE FUNCTION private.decide_flagged_verification(member uuid, decision text, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  decider uuid := private.require_verified_admin();
  why text;
  flag private.account_flags;
  before text;
begin
  if decision is null or decision not in ('reset', 'keep_closed') then
    perform private.fail('FF122', 'The decision must be reset or keep_closed.');
  end if;
  why := private.require_decision(decider, member, reason);
  select f.* into flag from private.account_flags f
  where f.user_id = member and f.reason = 'verification_attempts_exhausted' for update;
  if not found or (decision = 'keep_closed' and flag.closed_at is not null) then
    perform private.fail('FF121', 'This account is not waiting for a decision.');
  end if;
  before := case when flag.closed_at is null then 'waiting' else 'kept_closed' end;
  if decision = 'reset' then
    delete from private.account_flags f where f.user_id = member and f.reason = flag.reason;
    update public.user_verifications v set attempts_reset_at = now()
    where v.user_id = member and v.status = 'rejected' and v.attempts_reset_at is null;
    -- The member is told by e-mail and on the open page. The rows that changed are hidden from the member, so that the
    -- change itself reaches no page; hence the broadcast on the member's own channel.
    perform private.enqueue_email(
      member, 'identity_attempts_reset', concat_ws(':', 'identity_attempts_reset', member, extract(epoch from now()))
    );
    perform realtime.send('{}', 'attempts_reset', 'identity:' || member, true);
  else
    update private.account_flags f set closed_at = now() where f.user_id = member and f.reason = flag.reason;
  end if;
  perform private.audit(
    decider, case decision when 'reset' then 'verification.attempts_reset' else 'verification.kept_closed' end, member,
    jsonb_build_object('before', before, 'after', case decision when 'reset' then 'open' else 'kept_closed' end, 'reason', why)
  );
end
$function$;
comment on function private.decide_flagged_verification(uuid,text,text) is 'Decides about an account with five rejections: reset the count, also later, or keep the form closed. Audited.';
grant execute on function private.decide_flagged_verification(uuid,text,text) to authenticated;

CREATE OR REPLACE FUNCTION public.decide_flagged_verification(member uuid, decision text, reason text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.decide_flagged_verification(member, decision, reason) $function$;
comment on function public.decide_flagged_verification(uuid,text,text) is 'Administrators: let a member with five rejections try again (reset) or not (keep_closed).';
grant execute on function public.decide_flagged_verification(uuid,text,text) to authenticated;

CREATE OR REPLACE FUNCTION private.resolve_several_subscriptions(member uuid, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  decider uuid := private.require_verified_admin();
  why text := private.require_decision(decider, member, reason);
begin
  delete from private.account_flags f where f.user_id = member and f.reason = 'several_subscriptions';
  if not found then
    perform private.fail('FF121', 'This account is not waiting for a decision.');
  end if;
  perform private.audit(
    decider, 'billing.flag_resolved', member, jsonb_build_object('before', 'several_subscriptions', 'after', 'resolved', 'reason', why)
  );
end
$function$;
comment on function private.resolve_several_subscriptions(uuid,text) is 'Takes the flag off an account whose subscriptions were put right; the reconciliation flags it again if they were not. Audited.';
grant execute on function private.resolve_several_subscriptions(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.resolve_several_subscriptions(member uuid, reason text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.resolve_several_subscriptions(member, reason) $function$;
comment on function public.resolve_several_subscriptions(uuid,text) is 'Administrators: the subscriptions of a flagged account were put right.';
grant execute on function public.resolve_several_subscriptions(uuid,text) to authenticated;

-- notification preferences

create table public.notification_preferences (
  user_id uuid not null,
  kind text not null,
  email boolean not null,
  updated_at timestamp with time zone default now() not null,
  constraint notification_preferences_pkey PRIMARY KEY (user_id, kind),
  constraint notification_preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint notification_preferences_kind_check CHECK ((kind = ANY (ARRAY['tips'::text, 'reminders'::text])))
);
comment on table public.notification_preferences is 'E-mails a member switched on or off. Without a row a kind is on.';
comment on column public.notification_preferences.kind is 'tips: getting started. reminders: what needs attention soon. Other e-mails cannot be switched off.';
comment on column public.notification_preferences.email is 'Whether e-mails of this kind are sent.';
alter table public.notification_preferences enable row level security;
grant delete, insert, select, update on public.notification_preferences to service_role;
grant insert (user_id, kind, email),
  select (user_id, kind, email, updated_at),
  update (user_id, kind, email) on public.notification_preferences to authenticated;
CREATE TRIGGER notification_preferences__stamp BEFORE UPDATE ON public.notification_preferences FOR EACH ROW EXECUTE FUNCTION private.tg_notification_preferences__stamp();

create policy select_own on public.notification_preferences for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

create policy insert_own on public.notification_preferences for insert to authenticated
  with check ((user_id = ( SELECT auth.uid() AS uid)));

create policy update_own on public.notification_preferences for update to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)))
  with check ((user_id = ( SELECT auth.uid() AS uid)));

CREATE OR REPLACE FUNCTION private.tg_notification_preferences__stamp()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := now();
  return new;
end
$function$;

-- email outbox

create table private.email_templates (
  name text not null,
  kind text not null,
  constraint email_templates_pkey PRIMARY KEY (name),
  constraint email_templates_kind_check CHECK ((kind = ANY (ARRAY['money'::text, 'identity'::text, 'security'::text, 'tips'::text, 'reminders'::text])))
);
comment on table private.email_templates is 'The e-mails the product sends. Their texts are in supabase/functions/_shared/emails and private.email_texts.';
comment on column private.email_templates.kind is 'tips and reminders can be switched off in notification_preferences.';
alter table private.email_templates enable row level security;

create table private.email_outbox (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  template text not null,
  cause_key text not null,
  data jsonb default '{}'::jsonb not null,
  status text default 'pending'::text not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone default clock_timestamp() not null,
  claim uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  sent_at timestamp with time zone,
  last_error text,
  constraint email_outbox_cause_key_key UNIQUE (cause_key),
  constraint email_outbox_pkey PRIMARY KEY (id),
  constraint email_outbox_template_fkey FOREIGN KEY (template) REFERENCES private.email_templates(name),
  constraint email_outbox_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint email_outbox_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'sent'::text, 'skipped'::text, 'failed'::text])))
);
comment on table private.email_outbox is 'E-mails to send and, for 90 days, those that were sent, skipped or given up; welcomes are kept.';
comment on column private.email_outbox.cause_key is 'What the e-mail is about, such as receipt:ch_1. Each cause has one e-mail.';
comment on column private.email_outbox.data is 'Values of the template. The address and the name are read when it is sent.';
comment on column private.email_outbox.status is 'skipped: the account may not have it, or it is no longer true. failed: given up after the last attempt.';
comment on column private.email_outbox.next_attempt_at is 'While a sender has the e-mail: when its lease ends and another may take it.';
comment on column private.email_outbox.claim is 'The last claim. Only its sender may report the result.';
comment on column private.email_outbox.last_error is 'Why the last attempt failed, or why the e-mail was skipped.';
CREATE INDEX email_outbox_created_at_idx ON private.email_outbox USING btree (created_at) WHERE (status <> 'pending'::text);
CREATE INDEX email_outbox_due_idx ON private.email_outbox USING btree (next_attempt_at, id) WHERE (status = 'pending'::text);
CREATE INDEX email_outbox_template_idx ON private.email_outbox USING btree (template);
CREATE INDEX email_outbox_user_id_idx ON private.email_outbox USING btree (user_id);
alter table private.email_outbox enable row level security;

CREATE OR REPLACE FUNCTION private.enqueue_email(user_id uuid, template text, cause_key text, data jsonb DEFAULT '{}'::jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.email_outbox as o (user_id, template, cause_key, data)
  values (enqueue_email.user_id, enqueue_email.template, enqueue_email.cause_key, jsonb_strip_nulls(enqueue_email.data))
  on conflict on constraint email_outbox_cause_key_key do nothing;
  return found;
end
$function$;
comment on function private.enqueue_email(uuid,text,text,jsonb) is 'Puts an e-mail into the outbox, once for each cause; false when it is there already.';
grant execute on function private.enqueue_email(uuid,text,text,jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.email_refusal(email private.email_outbox)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when u.id is null then 'no account'
    when u.deleted_at is not null then 'the account is deleted'
    when u.is_anonymous or coalesce(u.email, '') = '' then 'the account has no address'
    when u.email_confirmed_at is null then 'the address is not confirmed'
    when u.banned_until > now() and t.kind not in ('money', 'security') then 'the account is suspended'
    when coalesce(u.banned_until <= now(), true) and email.template = 'account_suspended' then 'the suspension was lifted'
    when not coalesce(p.email, true) then 'switched off by the member'
    -- The member paid in the meantime.
    when email.template = 'payment_failed' and exists (
      select from public.stripe_subscriptions s
      where s.subscription_id = email.data ->> 'subscription_id' and s.status <> 'past_due'
    ) then 'the payment was made'
    when email.template = 'payment_disputed' and exists (
      select from private.billing_charges c where c.charge_id = email.data ->> 'number' and c.dispute is distinct from 'open'
    ) then 'the dispute is decided'
    when email.template = 'dispute_won' and not private.has_live_membership(email.user_id) then 'the membership has ended'
    when email.template = 'dispute_opened' and not exists (
      select from public.profiles p where p.id = email.user_id and p.role = 'admin'
    ) then 'no administrator'
  end
  from (select email.user_id) e
  left join auth.users u on u.id = e.user_id
  left join private.email_templates t on t.name = email.template
  left join public.notification_preferences p on p.user_id = e.user_id and p.kind = t.kind
$function$;
comment on function private.email_refusal(private.email_outbox) is 'Why an e-mail must not be sent now; null when it may be.';

CREATE OR REPLACE FUNCTION private.max_email_attempts()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$select 80$function$;
comment on function private.max_email_attempts() is 'How often an e-mail is tried before it is given up; with the pauses of record_email_result about three days.';

CREATE OR REPLACE FUNCTION private.claim_email(lease interval)
 RETURNS TABLE(id uuid, claim uuid, message_id text, address text, first_name text, template text, data jsonb, texts jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  taken private.email_outbox;
  refusal text;
begin
  if exists (select from private.email_pauses) then
    return;
  end if;
  loop
    select o.* into taken from private.email_outbox o
    where o.status = 'pending' and o.next_attempt_at <= clock_timestamp()
    order by o.next_attempt_at, o.id limit 1 for update skip locked;
    if not found then
      return;
    end if;
    refusal := private.email_refusal(taken);
    exit when refusal is null and taken.attempts < private.max_email_attempts();
    update private.email_outbox o set
      status = case when refusal is null then 'failed' else 'skipped' end,
      last_error = coalesce(refusal, o.last_error, 'no sender reported a result')
    where o.id = taken.id;
  end loop;
  update private.email_outbox o
  set attempts = o.attempts + 1, claim = gen_random_uuid(), next_attempt_at = clock_timestamp() + lease
  where o.id = taken.id returning o.* into taken;
  return query
    select taken.id, taken.claim, left(encode(sha256(convert_to(taken.cause_key, 'UTF8')), 'hex'), 32), u.email::text,
      p.first_name, taken.template, taken.data, private.changed_email_texts(taken.template)
    from auth.users u left join public.profiles p on p.id = u.id where u.id = taken.user_id;
end
$function$;
comment on function private.claim_email(interval) is 'Takes the e-mail that is due for longest and nobody else has, for the length of the lease; no row when none is due or they are paused.';
grant execute on function private.claim_email(interval) to service_role;

CREATE OR REPLACE FUNCTION private.record_email_result(email uuid, claim uuid, error text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  new_status text;
begin
  update private.email_outbox o set
    status = case when error is null then 'sent' when o.attempts >= private.max_email_attempts() then 'failed' else 'pending' end,
    sent_at = case when error is null then clock_timestamp() end,
    last_error = left(error, 500),
    next_attempt_at = clock_timestamp() + least(interval '1 hour', interval '1 minute' * (2 ^ least(o.attempts - 1, 10))),
    claim = null
  where o.id = email and o.claim = record_email_result.claim and o.status = 'pending'
  returning o.status into new_status;
  return coalesce(new_status, 'not_yours');
end
$function$;
comment on function private.record_email_result(uuid,uuid,text) is 'Records that an e-mail was sent, or why not: sent, pending (tried again later), failed, or not_yours when the lease had ended.';
grant execute on function private.record_email_result(uuid,uuid,text) to service_role;

CREATE OR REPLACE FUNCTION private.purge_emails()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.email_outbox o where o.status <> 'pending' and o.template <> 'welcome' and o.created_at < now() - interval '90 days'
$function$;
comment on function private.purge_emails() is 'Deletes e-mails that were sent, skipped or given up, 90 days after their cause.';
grant execute on function private.purge_emails() to service_role;

CREATE OR REPLACE FUNCTION private.export_part_email(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'emails', coalesce((
      select jsonb_agg(to_jsonb(o) - 'claim' order by o.created_at, o.id) from private.email_outbox o where o.user_id = member
    ), '[]'),
    'notification_preferences', coalesce((
      select jsonb_agg(to_jsonb(n) order by n.kind) from public.notification_preferences n where n.user_id = member
    ), '[]')
  )
$function$;
comment on function private.export_part_email(uuid) is 'E-mails to one account and its choices about them.';

CREATE OR REPLACE FUNCTION public.enqueue_email(user_id uuid, template text, cause_key text, data jsonb DEFAULT '{}'::jsonb)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.enqueue_email(user_id, template, cause_key, data) $function$;
comment on function public.enqueue_email(uuid,text,text,jsonb) is 'Server: put an e-mail into the outbox, once for each cause.';
grant execute on function public.enqueue_email(uuid,text,text,jsonb) to service_role;

CREATE OR REPLACE FUNCTION public.claim_email(lease interval DEFAULT '00:05:00'::interval)
 RETURNS TABLE(id uuid, claim uuid, message_id text, address text, first_name text, template text, data jsonb, texts jsonb)
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select * from private.claim_email(lease) $function$;
comment on function public.claim_email(interval) is 'Server: take the next e-mail to send.';
grant execute on function public.claim_email(interval) to service_role;

CREATE OR REPLACE FUNCTION public.record_email_result(email uuid, claim uuid, error text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_email_result(email, claim, error) $function$;
comment on function public.record_email_result(uuid,uuid,text) is 'Server: an e-mail was sent, or could not be.';
grant execute on function public.record_email_result(uuid,uuid,text) to service_role;

CREATE OR REPLACE FUNCTION public.purge_emails()
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.purge_emails() $function$;
comment on function public.purge_emails() is 'Server: delete old e-mails.';
grant execute on function public.purge_emails() to service_role;

-- email causes

CREATE OR REPLACE FUNCTION private.plan_name(price text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select p.name from private.plan_prices o join public.plans p on p.id = o.plan_id where o.price_id = price
$function$;
comment on function private.plan_name(text) is 'Name of the plan a price was ever sold for; null for other prices.';

CREATE OR REPLACE FUNCTION private.tg_payment_records__email()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  member constant uuid := (select c.user_id from public.stripe_customers c where c.customer_id = new.customer_id);
  template constant text := case
    when new.kind = 'payment' and new.status = 'succeeded' and new.amount > 0 then 'receipt'
    when new.kind = 'refund' and new.status = 'succeeded' then 'payment_refunded'
    when new.kind = 'dispute' and new.status = 'won' then 'dispute_won'
    when new.kind = 'dispute' and new.status not in ('lost', 'prevented') and new.status not like 'warning%' then 'payment_disputed'
  end;
  plan constant text := (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = new.subscription_id);
  facts constant jsonb := jsonb_build_object(
    'amount', new.amount, 'currency', new.currency, 'happened_at', new.happened_at, 'number', new.charge_id, 'plan', plan
  ) || jsonb_strip_nulls(jsonb_build_object(
    'invoice_id', (select c.invoice_id from private.billing_charges c where c.charge_id = new.charge_id)
  ));
begin
  if member is not null and template is not null then
    perform private.enqueue_email(member, template, template || ':' || new.provider_id, facts);
  end if;
  if new.kind = 'dispute' and new.status <> 'prevented' and new.status not like 'warning%' then
    perform private.enqueue_email(
      p.id, 'dispute_opened', concat_ws(':', 'dispute_opened', new.provider_id, p.id),
      facts || jsonb_build_object('reason', new.reason, 'dispute', new.provider_id)
    )
    from public.profiles p where p.role = 'admin';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_stripe_subscriptions__email()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  member constant uuid := (select c.user_id from public.stripe_customers c where c.customer_id = new.customer_id);
  plan constant text := private.plan_name(new.price_id);
  was_live constant boolean := tg_op = 'UPDATE' and old.status in ('active', 'trialing');
  is_live constant boolean := new.status in ('active', 'trialing');
  ends_at constant timestamptz := to_timestamp(new.current_period_end);
  -- Seconds since the epoch; null while it runs at the provider.
  ended constant bigint := (select r.ended_at_provider from private.billing_reads r where r.subscription_id = new.subscription_id);
  -- Judged by when it ended, because another reading may have written the end first. One that ended long ago is not told.
  has_ended constant boolean := new.status = 'canceled' and (
    coalesce(to_timestamp(ended) > now() - interval '30 days', new.hold is not null)
    or tg_op = 'UPDATE' and old.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
  );
  -- The reading that changed the row. Two changes of the same kind are two causes, such as cancelling again.
  reading constant text := coalesce(
    (select r.ticket::text from private.billing_reads r where r.subscription_id = new.subscription_id), pg_current_xact_id()::text
  );
begin
  if plan is null or member is null then
    return null;
  end if;
  if is_live and not was_live then
    perform private.enqueue_email(member, 'welcome', 'welcome:' || member, jsonb_build_object('plan', plan));
  end if;
  -- A subscription that gave way to another one, which ran when it ended, has not ended the membership.
  if has_ended and not exists (
    select from public.stripe_subscriptions s
    join private.plan_prices o on o.price_id = s.price_id
    left join private.billing_reads r on r.subscription_id = s.subscription_id
    where s.customer_id = new.customer_id and s.id <> new.id and case
      when ended is null or r.created_at_provider is null then s.status in ('active', 'trialing')
      else s.status not in ('incomplete', 'incomplete_expired')
        and r.created_at_provider < ended and coalesce(r.ended_at_provider > ended, true)
    end
  ) then
    perform private.enqueue_email(
      member, 'membership_ended', 'membership_ended:' || new.subscription_id, jsonb_build_object(
        'plan', plan,
        'why', coalesce(new.hold, case when tg_op = 'UPDATE' and old.status in ('past_due', 'unpaid') then 'unpaid' end)
      )
    );
  end if;
  if tg_op = 'INSERT' then
    return null;
  end if;
  if new.status = 'past_due' and was_live then
    perform private.enqueue_email(
      member, 'payment_failed', concat_ws(':', 'payment_failed', new.subscription_id, new.current_period_start),
      jsonb_build_object('plan', plan, 'subscription_id', new.subscription_id, 'card_last4', new.payment_method_last4)
    );
  end if;
  if is_live and new.cancel_at_period_end and not old.cancel_at_period_end then
    perform private.enqueue_email(
      member, 'membership_cancelled', concat_ws(':', 'membership_cancelled', new.subscription_id, reading),
      jsonb_build_object('plan', plan, 'ends_at', ends_at)
    );
  end if;
  if was_live and is_live and private.plan_name(old.price_id) <> plan then
    perform private.enqueue_email(
      member, 'plan_changed', concat_ws(':', 'plan_changed', new.subscription_id, reading),
      jsonb_build_object('from', private.plan_name(old.price_id), 'plan', plan, 'renews_at', ends_at)
    );
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_user_verifications__email()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.enqueue_email(
    new.user_id, 'identity_' || new.status, concat_ws(':', 'identity', new.id, new.status),
    jsonb_build_object('document_type', new.document_type, 'reason', new.rejected_reason)
  );
  return null;
end
$function$;

-- billing invoices

create table public.invoices (
  invoice_id text not null,
  customer_id text not null,
  subscription_id text,
  number text,
  status text not null,
  reason text,
  currency text not null,
  total_pence bigint not null,
  starting_balance_pence bigint default 0 not null,
  amount_due_pence bigint not null,
  amount_paid_pence bigint not null,
  amount_refunded_pence bigint default 0 not null,
  lines jsonb default '[]'::jsonb not null,
  card_brand text,
  card_last4 text,
  attempt_count integer default 0 not null,
  next_attempt_at timestamp with time zone,
  issued_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  ticket bigint not null,
  updated_at timestamp with time zone default now() not null,
  constraint invoices_pkey PRIMARY KEY (invoice_id),
  constraint invoices_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.stripe_customers(customer_id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint invoices_card_last4_check CHECK ((card_last4 ~ '^[0-9]{4}$'::text)),
  constraint invoices_lines_check CHECK ((jsonb_typeof(lines) = 'array'::text)),
  constraint invoices_status_check CHECK ((status = ANY (ARRAY['open'::text, 'paid'::text, 'uncollectible'::text, 'void'::text])))
);
comment on table public.invoices is 'Finalised invoices of members. Only the server writes; the card provider is the source.';
comment on column public.invoices.reason is 'Why it was made, as the card provider says: subscription_create, subscription_cycle, subscription_update.';
comment on column public.invoices.total_pence is 'Sum of the lines in the smallest unit of the currency, before credit.';
comment on column public.invoices.starting_balance_pence is 'Credit of the customer when it was finalised; negative is in the member''s favour.';
comment on column public.invoices.amount_refunded_pence is 'Refunded of what was paid, from the payments of this invoice.';
comment on column public.invoices.lines is 'Objects with description, amount_pence, period_start and period_end (seconds since the epoch).';
comment on column public.invoices.card_brand is 'Card that paid it; null until then.';
comment on column public.invoices.attempt_count is 'Attempts to take the payment so far.';
comment on column public.invoices.next_attempt_at is 'When the card provider tries again; null when it does not.';
comment on column public.invoices.ticket is 'Ticket of the reading that the row holds.';
CREATE INDEX invoices_customer_id_idx ON public.invoices USING btree (customer_id, issued_at DESC);
CREATE INDEX invoices_number_idx ON public.invoices USING gin (number extensions.gin_trgm_ops);
alter table public.invoices enable row level security;
grant delete, insert, select, update on public.invoices to service_role;
grant select (invoice_id, customer_id, subscription_id, number, status, reason, currency, total_pence, starting_balance_pence, amount_due_pence, amount_paid_pence, amount_refunded_pence, lines, card_brand, card_last4, attempt_count, next_attempt_at, issued_at, paid_at, ticket, updated_at) on public.invoices to authenticated;

create policy select_own on public.invoices for select to authenticated
  using ((customer_id IN ( SELECT c.customer_id
   FROM public.stripe_customers c
  WHERE (c.user_id = ( SELECT auth.uid() AS uid)))));

CREATE OR REPLACE FUNCTION private.billing_note_payment(invoice text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.invoices i set
    amount_refunded_pence = paid.refunded, card_brand = paid.card ->> 0, card_last4 = paid.card ->> 1
  from (
    -- Brand and digits of one card: of a payment that was kept, if there is one.
    select sum(c.amount_refunded) as refunded, (
      array_agg(jsonb_build_array(c.card_brand, c.card_last4) order by c.is_refunded, c.amount desc nulls last, c.charge_id)
    )[1] as card
    from private.billing_charges c where c.invoice_id = invoice
  ) paid
  where i.invoice_id = invoice and paid.refunded is not null
$function$;
comment on function private.billing_note_payment(text) is 'Writes card and refunds of an invoice''s payments to the invoice.';

CREATE OR REPLACE FUNCTION private.billing_apply_invoice(ticket bigint, snapshot jsonb)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  customer text := snapshot ->> 'customer_id';
  invoice text := snapshot ->> 'invoice_id';
begin
  perform from public.stripe_customers c where c.customer_id = customer for update;
  if not found then
    return 'unknown_customer';
  end if;
  insert into public.invoices as i (
    invoice_id, customer_id, subscription_id, number, status, reason, currency, total_pence, starting_balance_pence,
    amount_due_pence, amount_paid_pence, lines, attempt_count, next_attempt_at, issued_at, paid_at, ticket
  ) values (
    invoice, customer, snapshot ->> 'subscription_id', snapshot ->> 'number', snapshot ->> 'status', snapshot ->> 'reason',
    snapshot ->> 'currency', (snapshot ->> 'total')::bigint, (snapshot ->> 'starting_balance')::bigint,
    (snapshot ->> 'amount_due')::bigint, (snapshot ->> 'amount_paid')::bigint, snapshot -> 'lines',
    (snapshot ->> 'attempt_count')::integer, to_timestamp((snapshot ->> 'next_attempt')::bigint),
    to_timestamp((snapshot ->> 'issued')::bigint), to_timestamp((snapshot ->> 'paid')::bigint), billing_apply_invoice.ticket
  )
  on conflict (invoice_id) do update set
    status = excluded.status, number = excluded.number, total_pence = excluded.total_pence,
    starting_balance_pence = excluded.starting_balance_pence, amount_due_pence = excluded.amount_due_pence,
    amount_paid_pence = excluded.amount_paid_pence, lines = excluded.lines, attempt_count = excluded.attempt_count,
    next_attempt_at = excluded.next_attempt_at, issued_at = excluded.issued_at, paid_at = excluded.paid_at,
    ticket = excluded.ticket, updated_at = now()
  where i.ticket < excluded.ticket and i.customer_id = excluded.customer_id;
  if not found then
    return 'stale';
  end if;
  perform private.billing_note_payment(invoice);
  return 'applied';
end
$function$;
comment on function private.billing_apply_invoice(bigint,jsonb) is 'Writes one reading of an invoice: applied, stale or unknown_customer.';
grant execute on function private.billing_apply_invoice(bigint,jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.billing_known_invoices(invoices text[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_object_agg(i.invoice_id, jsonb_build_object(
    'status', i.status, 'amount_paid', i.amount_paid_pence, 'attempt_count', i.attempt_count
  )), '{}') from public.invoices i where i.invoice_id = any (invoices)
$function$;
comment on function private.billing_known_invoices(text[]) is 'The last reading of each of these invoices, by id.';
grant execute on function private.billing_known_invoices(text[]) to service_role;

CREATE OR REPLACE FUNCTION private.export_part_invoices(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('invoices', coalesce(
    (select jsonb_agg(to_jsonb(i) - 'ticket' order by i.issued_at) from public.invoices i
      join public.stripe_customers c on c.customer_id = i.customer_id where c.user_id = member), '[]'))
$function$;
comment on function private.export_part_invoices(uuid) is 'Invoices of one account.';

CREATE OR REPLACE FUNCTION public.billing_apply_invoice(ticket bigint, snapshot jsonb)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_apply_invoice(ticket, snapshot) $function$;
comment on function public.billing_apply_invoice(bigint,jsonb) is 'Server: write one reading of an invoice.';
grant execute on function public.billing_apply_invoice(bigint,jsonb) to service_role;

CREATE OR REPLACE FUNCTION public.billing_known_invoices(invoices text[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.billing_known_invoices(invoices) $function$;
comment on function public.billing_known_invoices(text[]) is 'Server: the last readings of these invoices.';
grant execute on function public.billing_known_invoices(text[]) to service_role;

-- billing plan changes

create table private.plan_change_quotes (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  subscription_id text not null,
  kind text not null,
  from_price_id text not null,
  to_price_id text not null,
  amount_due_pence bigint not null,
  proration_date bigint,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint plan_change_quotes_pkey PRIMARY KEY (id),
  constraint plan_change_quotes_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint plan_change_quotes_kind_check CHECK ((kind = ANY (ARRAY['upgrade'::text, 'downgrade'::text])))
);
comment on table private.plan_change_quotes is 'Previews of plan changes, kept for a day; one can be used for fifteen minutes.';
comment on column private.plan_change_quotes.proration_date is 'Moment the amount was computed for, in seconds since the epoch by the card provider''s clock; null for a downgrade.';
CREATE INDEX plan_change_quotes_created_at_idx ON private.plan_change_quotes USING btree (created_at);
CREATE INDEX plan_change_quotes_user_id_idx ON private.plan_change_quotes USING btree (user_id);
alter table private.plan_change_quotes enable row level security;

CREATE OR REPLACE FUNCTION private.billing_quote_plan_change(member uuid, quote jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  made uuid;
begin
  insert into private.plan_change_quotes (
    user_id, subscription_id, kind, from_price_id, to_price_id, amount_due_pence, proration_date
  ) values (
    member, quote ->> 'subscription_id', quote ->> 'kind', quote ->> 'from_price_id', quote ->> 'to_price_id',
    (quote ->> 'amount_due')::bigint, (quote ->> 'proration_date')::bigint
  ) returning id into made;
  return made;
end
$function$;
comment on function private.billing_quote_plan_change(uuid,jsonb) is 'Keeps a preview of a plan change and returns its id.';
grant execute on function private.billing_quote_plan_change(uuid,jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.billing_plan_change_quote(member uuid, quote uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'subscription_id', q.subscription_id, 'kind', q.kind, 'from_price_id', q.from_price_id, 'to_price_id', q.to_price_id,
    'amount_due', q.amount_due_pence, 'proration_date', q.proration_date,
    'is_expired', q.created_at < clock_timestamp() - interval '15 minutes'
  ) from private.plan_change_quotes q where q.id = quote and q.user_id = member
$function$;
comment on function private.billing_plan_change_quote(uuid,uuid) is 'A preview of the member''s own; null for any other.';
grant execute on function private.billing_plan_change_quote(uuid,uuid) to service_role;

create table private.cancellation_reasons (
  id bigint generated always as identity not null,
  user_id uuid not null,
  subscription_id text not null,
  reason text,
  comment text,
  cancelled_at timestamp with time zone default clock_timestamp() not null,
  constraint cancellation_reasons_pkey PRIMARY KEY (id),
  constraint cancellation_reasons_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint cancellation_reasons_comment_check CHECK ((char_length(comment) <= 500)),
  constraint cancellation_reasons_not_empty CHECK (((reason IS NOT NULL) OR (comment IS NOT NULL))),
  constraint cancellation_reasons_reason_check CHECK ((reason = ANY (ARRAY['too_expensive'::text, 'missing_features'::text, 'switched_service'::text, 'unused'::text, 'customer_service'::text, 'too_complex'::text, 'low_quality'::text, 'other'::text])))
);
comment on table private.cancellation_reasons is 'Reasons members gave when they cancelled. Giving one is optional.';
comment on column private.cancellation_reasons.reason is 'One of the card provider''s values for feedback.';
CREATE INDEX cancellation_reasons_user_id_idx ON private.cancellation_reasons USING btree (user_id);
alter table private.cancellation_reasons enable row level security;

CREATE OR REPLACE FUNCTION private.billing_record_cancellation(member uuid, subscription text, reason text, comment text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.cancellation_reasons (user_id, subscription_id, reason, comment)
  select member, subscription, billing_record_cancellation.reason, billing_record_cancellation.comment
  where billing_record_cancellation.reason is not null or billing_record_cancellation.comment is not null
$function$;
comment on function private.billing_record_cancellation(uuid,text,text,text) is 'Keeps the reason of a cancellation, if one was given.';
grant execute on function private.billing_record_cancellation(uuid,text,text,text) to service_role;

CREATE OR REPLACE FUNCTION private.export_part_cancellations(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('cancellation_reasons', coalesce(
    (select jsonb_agg(to_jsonb(r) order by r.id) from private.cancellation_reasons r where r.user_id = member), '[]'))
$function$;
comment on function private.export_part_cancellations(uuid) is 'Reasons one account gave for cancelling.';

CREATE OR REPLACE FUNCTION public.billing_quote_plan_change(member uuid, quote jsonb)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_quote_plan_change(member, quote) $function$;
comment on function public.billing_quote_plan_change(uuid,jsonb) is 'Server: keep a preview of a plan change.';
grant execute on function public.billing_quote_plan_change(uuid,jsonb) to service_role;

CREATE OR REPLACE FUNCTION public.billing_plan_change_quote(member uuid, quote uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.billing_plan_change_quote(member, quote) $function$;
comment on function public.billing_plan_change_quote(uuid,uuid) is 'Server: a preview of the member''s own.';
grant execute on function public.billing_plan_change_quote(uuid,uuid) to service_role;

CREATE OR REPLACE FUNCTION public.billing_record_cancellation(member uuid, subscription text, reason text, comment text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
    select private.billing_record_cancellation(member, subscription, reason, comment)
  $function$;
comment on function public.billing_record_cancellation(uuid,text,text,text) is 'Server: keep the reason of a cancellation.';
grant execute on function public.billing_record_cancellation(uuid,text,text,text) to service_role;

-- email reminders

CREATE OR REPLACE FUNCTION private.queue_card_reminders()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    due.user_id, 'card_expiring', concat_ws(':', 'card_expiring', due.subscription_id, due.last4, due.expires),
    jsonb_build_object('card_last4', due.last4, 'expires', due.expires)
  )) into queued
  from (
    select c.user_id, s.subscription_id, s.payment_method_last4 as last4, s.payment_method_expires as expires
    from public.stripe_subscriptions s
    join public.stripe_customers c on c.customer_id = s.customer_id and c.deleted_at is null
    where s.deleted_at is null and s.status in ('active', 'trialing') and not s.cancel_at_period_end
      and s.payment_method_last4 is not null
      -- A card is valid to the end of its month.
      and (to_date(s.payment_method_expires, 'YYYY-MM') + interval '1 month') between now() and now() + interval '31 days'
  ) due;
  return queued;
end
$function$;
comment on function private.queue_card_reminders() is 'Queues an e-mail about each card that pays for a membership and expires within a month, once for each card; their number.';
grant execute on function private.queue_card_reminders() to service_role;

CREATE OR REPLACE FUNCTION public.queue_card_reminders()
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.queue_card_reminders() $function$;
comment on function public.queue_card_reminders() is 'Server: queue the e-mails about cards that expire soon.';
grant execute on function public.queue_card_reminders() to service_role;

-- export

CREATE OR REPLACE FUNCTION private.export_part_account(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'account', (
      select jsonb_build_object(
        'id', u.id, 'email', u.email, 'email_change', nullif(u.email_change, ''), 'phone', u.phone,
        'created_at', u.created_at, 'updated_at', u.updated_at, 'email_confirmed_at', u.email_confirmed_at,
        'last_sign_in_at', u.last_sign_in_at, 'recovery_sent_at', u.recovery_sent_at, 'banned_until', u.banned_until,
        'user_metadata', u.raw_user_meta_data, 'app_metadata', u.raw_app_meta_data
      ) from auth.users u where u.id = member
    ),
    'identities', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', i.id, 'user_id', i.user_id, 'provider', i.provider, 'identity_data', i.identity_data, 'created_at', i.created_at,
        'updated_at', i.updated_at, 'last_sign_in_at', i.last_sign_in_at
      ) order by i.created_at) from auth.identities i where i.user_id = member
    ), '[]'),
    'sessions', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', s.id, 'user_id', s.user_id, 'created_at', s.created_at, 'updated_at', s.updated_at,
        'refreshed_at', s.refreshed_at, 'user_agent', s.user_agent, 'ip', s.ip, 'aal', s.aal
      ) order by s.created_at) from auth.sessions s where s.user_id = member
    ), '[]'),
    'second_factors', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', f.id, 'user_id', f.user_id, 'friendly_name', f.friendly_name, 'factor_type', f.factor_type,
        'status', f.status, 'created_at', f.created_at, 'updated_at', f.updated_at
      ) order by f.created_at) from auth.mfa_factors f where f.user_id = member
    ), '[]'),
    'recovery_codes', coalesce((
      select jsonb_agg(to_jsonb(c) - 'code_hash' order by c.created_at)
      from private.recovery_codes c where c.user_id = member
    ), '[]'),
    'sign_in_log', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', e.id, 'created_at', e.created_at, 'action', e.payload ->> 'action', 'ip_address', e.ip_address
      ) order by e.created_at) from auth.audit_log_entries e where e.payload ->> 'actor_id' = member::text
    ), '[]'),
    'account_flags', coalesce((
      select jsonb_agg(to_jsonb(f) order by f.created_at) from private.account_flags f where f.user_id = member
    ), '[]'),
    'pending_admin', (select to_jsonb(p) from private.pending_admins p where p.user_id = member),
    'rate_usage', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.action) from private.rate_usage r where r.user_id = member
    ), '[]')
  )
$function$;
comment on function private.export_part_account(uuid) is 'Account, sign-in methods, sessions, sign-in log and flags of one account.';

CREATE OR REPLACE FUNCTION private.export_part_decisions(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'audit_log', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', a.id, 'happened_at', a.happened_at, 'action', a.action,
        'actor', case when a.actor = member then a.actor end,
        'subject', case when a.subject = member then a.subject end,
        'detail', case when a.subject = member then a.detail end
      ) order by a.id) from private.audit_log a where member in (a.actor, a.subject)
    ), '[]'),
    'document_pins', coalesce((
      select jsonb_agg(to_jsonb(p) order by v.submitted_at) from private.document_pins p
      join public.user_verifications v on v.id = p.verification_id where v.user_id = member
    ), '[]'),
    -- Without reporter and reason, which could tell who it was.
    'reports_about_messages', coalesce((
      select jsonb_agg(to_jsonb(r) - 'user_id' - 'reason' order by r.id) from private.message_reports r
      join public.chat_messages m on m.id = r.message_id where m.user_id = member
    ), '[]'),
    'room_leases', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.chat_room_id) from private.room_leases l where l.user_id = member
    ), '[]')
  )
$function$;
comment on function private.export_part_decisions(uuid) is 'Administrative acts and reports about one account, without the other persons in them, and the rooms it is in.';

CREATE OR REPLACE FUNCTION private.export_part_billing(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with customers as (
    select c.customer_id from public.stripe_customers c where c.user_id = member
  )
  select jsonb_build_object(
    'billing_attempts', coalesce((
      select jsonb_agg(to_jsonb(a) order by a.created_at) from private.billing_attempts a where a.user_id = member
    ), '[]'),
    'billing_charges', coalesce((
      select jsonb_agg(to_jsonb(g) order by g.charge_id) from private.billing_charges g
      join customers c using (customer_id)
    ), '[]'),
    'billing_checks', coalesce((
      select jsonb_agg(to_jsonb(k)) from private.billing_checks k join customers c using (customer_id)
    ), '[]'),
    'payment_records', coalesce((
      select jsonb_agg(to_jsonb(p) order by p.id) from private.payment_records p join customers c using (customer_id)
    ), '[]')
  )
$function$;
comment on function private.export_part_billing(uuid) is 'Purchases, charges and payments of one account.';

CREATE OR REPLACE FUNCTION private.export_part_files(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('files', coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', o.id, 'bucket', o.bucket_id, 'name', o.name, 'created_at', o.created_at, 'updated_at', o.updated_at,
      'size', o.metadata -> 'size', 'mimetype', o.metadata -> 'mimetype', 'user_metadata', o.user_metadata
    ) order by o.bucket_id, o.name)
    from storage.objects o
    where o.owner_id = member::text or left(o.name, 37) = member::text || '-'
  ), '[]'))
$function$;
comment on function private.export_part_files(uuid) is 'The stored files of one account.';

-- room requirement

CREATE OR REPLACE FUNCTION private.room_count_limit()
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select greatest(5, max(r.needed)) from public.level_requirements r where r.kind = 'rooms'
$function$;
comment on function private.room_count_limit() is 'How many opened rooms are counted: five, or more if a level requires more.';

CREATE OR REPLACE FUNCTION private.count_opened_rooms(member uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  opened text[];
begin
  perform from public.user_progress p
  where p.user_id = member and cardinality(p.chat_rooms_opened) < private.room_count_limit();
  if not found then
    return;
  end if;
  opened := array(
    select l.reference from private.progress_ledger l
    where l.user_id = member and l.kind = 'room_opened' order by l.id limit private.room_count_limit()
  );
  update public.user_progress p set chat_rooms_opened = opened
  where p.user_id = member and cardinality(p.chat_rooms_opened) < cardinality(opened);
end
$function$;
comment on function private.count_opened_rooms(uuid) is 'Brings the counter of rooms opened up to the ledger, at most room_count_limit. Never lowers it.';

-- email pauses

create table private.email_pauses (
  only_one boolean default true not null,
  reason text not null,
  paused_at timestamp with time zone default now() not null,
  constraint email_pauses_pkey PRIMARY KEY (only_one),
  constraint email_pauses_only_one_check CHECK (only_one)
);
comment on table private.email_pauses is 'While it has a row, no e-mail of the outbox is sent. New ones are still queued.';
comment on column private.email_pauses.only_one is 'There is one row at most.';
alter table private.email_pauses enable row level security;

CREATE OR REPLACE FUNCTION private.pause_emails(reason text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.email_pauses (reason) values (pause_emails.reason) on conflict do nothing
$function$;
comment on function private.pause_emails(text) is 'Stops the sending of e-mails until private.resume_emails; for the operator and after a restore.';

CREATE OR REPLACE FUNCTION private.resume_emails(send_waiting boolean)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  waiting integer;
begin
  if not send_waiting then
    update private.email_outbox set status = 'skipped', last_error = 'discarded by the operator' where status = 'pending';
  else
    perform from private.email_outbox where status = 'pending';
  end if;
  get diagnostics waiting = row_count;
  delete from private.email_pauses;
  return waiting;
end
$function$;
comment on function private.resume_emails(boolean) is 'Lets e-mails be sent again, those that waited too, or without them; returns the number of those. For the operator.';

CREATE OR REPLACE FUNCTION hooks.after_restore()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.pause_emails('restored from a backup');
  insert into private.billing_checks as k (customer_id, checked_at)
  select c.customer_id, '-infinity' from public.stripe_customers c where c.deleted_at is null
  on conflict on constraint billing_checks_pkey do update set checked_at = excluded.checked_at;
end
$function$;
comment on function hooks.after_restore() is 'Called by its owner after a restore from a backup: pauses the e-mails, and has every customer compared with the card provider.';

-- member directory

create table private.member_directory (
  user_id uuid not null,
  email text not null,
  name text not null,
  search_key text not null,
  joined_at timestamp with time zone not null,
  constraint member_directory_pkey PRIMARY KEY (user_id),
  constraint member_directory_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table private.member_directory is 'Name and address of every account that was not deleted, for the administrators'' search. Kept by triggers.';
comment on column private.member_directory.name is 'First and last name; empty without a profile.';
comment on column private.member_directory.search_key is 'Result of search_key for name and address; also the order by name.';
CREATE INDEX member_directory_joined_at_idx ON private.member_directory USING btree (joined_at, user_id);
CREATE INDEX member_directory_order_idx ON private.member_directory USING btree (search_key, user_id);
CREATE INDEX member_directory_search_key_idx ON private.member_directory USING gin (search_key extensions.gin_trgm_ops);
alter table private.member_directory enable row level security;

CREATE OR REPLACE FUNCTION private.search_key(label text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select regexp_replace(normalize(lower(label), nfkd), '[\u0300-\u036f]', '', 'g')
$function$;
comment on function private.search_key(text) is 'Lower case without accents, so that jose finds José.';

CREATE OR REPLACE FUNCTION private.list_member(member uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.member_directory as d (user_id, email, name, search_key, joined_at)
  select u.id, coalesce(u.email, ''), l.name, private.search_key(btrim(l.name || ' ' || coalesce(u.email, ''))),
    coalesce(u.created_at, now())
  from auth.users u
  left join public.profiles p on p.id = u.id
  cross join lateral (select btrim(concat_ws(' ', p.first_name, p.last_name)) as name) l
  where u.id = member and u.deleted_at is null
  on conflict (user_id) do update set
    email = excluded.email, name = excluded.name, search_key = excluded.search_key, joined_at = excluded.joined_at;
  if not found then
    delete from private.member_directory d where d.user_id = member;
  end if;
end
$function$;
comment on function private.list_member(uuid) is 'Writes the entry of one account in the member directory.';

CREATE OR REPLACE FUNCTION private.tg_users__list_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.list_member(new.id);
  return null;
end
$function$;

CREATE TRIGGER users__list_member AFTER INSERT OR UPDATE OF email, created_at, deleted_at ON auth.users FOR EACH ROW EXECUTE FUNCTION private.tg_users__list_member();

CREATE OR REPLACE FUNCTION private.tg_profiles__list_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.list_member(new.id);
  return null;
end
$function$;

create view private.membership_statuses with (security_invoker=true) as
 SELECT user_id,
        CASE
            WHEN (EXISTS ( SELECT
               FROM (public.stripe_customers c
                 JOIN public.stripe_subscriptions s USING (customer_id))
              WHERE ((c.user_id = d.user_id) AND (c.deleted_at IS NULL) AND (s.deleted_at IS NULL) AND (s.status = ANY (ARRAY['active'::text, 'trialing'::text]))))) THEN 'paying'::text
            WHEN (EXISTS ( SELECT
               FROM private.live_memberships m
              WHERE (m.user_id = d.user_id))) THEN 'complimentary'::text
            WHEN (EXISTS ( SELECT
               FROM (public.stripe_customers c
                 JOIN public.stripe_subscriptions s USING (customer_id))
              WHERE ((c.user_id = d.user_id) AND (c.deleted_at IS NULL) AND (s.deleted_at IS NULL) AND (s.status = 'past_due'::text)))) THEN 'past_due'::text
            WHEN (EXISTS ( SELECT
               FROM (public.stripe_customers c
                 JOIN public.stripe_subscriptions s USING (customer_id))
              WHERE ((c.user_id = d.user_id) AND (s.status <> ALL (ARRAY['not_started'::text, 'incomplete'::text, 'incomplete_expired'::text]))))) THEN 'lapsed'::text
            ELSE 'never_paid'::text
        END AS status
   FROM private.member_directory d;
comment on view private.membership_statuses is 'paying (active or trialing), complimentary, past_due, lapsed (paid once, not now) or never_paid, for every account.';

create type public.member_row as (
  user_id uuid,
  email text,
  name text,
  role text,
  level integer,
  membership text,
  is_suspended boolean,
  joined_at timestamp with time zone
);
comment on type public.member_row is 'One line of the administrators'' list of members. level is the one reached, 0 before onboarding.';

CREATE OR REPLACE FUNCTION private.member_page(search text, membership text, level integer, role text, joined_from date, joined_to date, sort text, after_id uuid, page_size integer)
 RETURNS SETOF public.member_row
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  rules text[] := array['true'];
  after private.member_directory;
  direction text := case when sort in ('newest', 'name_desc') then 'desc' else 'asc' end;
  key text := case when sort in ('name', 'name_desc') then 'd.search_key' else 'd.joined_at' end;
begin
  perform private.require_verified_admin();
  if sort is null or sort not in ('newest', 'oldest', 'name', 'name_desc')
    or membership not in ('paying', 'complimentary', 'past_due', 'lapsed', 'never_paid', 'suspended')
    or role not in ('student', 'mentor', 'admin') or level not between 0 and 4 or char_length(search) > 200 then
    perform private.fail('FF519', 'There is no such filter.');
  end if;
  -- Each word has to be part of the name or the address. Wildcards are ordinary characters.
  rules := rules || array(
    select format('d.search_key like %L', '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%')
    from regexp_split_to_table(private.search_key(btrim(coalesce(search, ''))), '\s+') word
    where word <> '' limit 8
  );
  if membership = 'suspended' then
    rules := rules || 'exists (select from auth.users u where u.id = d.user_id and u.banned_until > now())'::text;
  elsif membership is not null then
    rules := rules || format(
      '(select m.status from private.membership_statuses m where m.user_id = d.user_id) = %L', membership
    );
  end if;
  if membership = 'past_due' then
    -- The few of them are found by an index, instead of asking about every member.
    rules := rules || 'd.user_id in (select c.user_id from public.stripe_customers c
      join public.stripe_subscriptions s using (customer_id) where s.deleted_at is null and s.status = ''past_due'')'::text;
  end if;
  if level is not null then
    rules := rules || format(
      'coalesce((select l.current_level from public.user_levels l where l.user_id = d.user_id), 0) = %s', level
    );
  end if;
  if role is not null then
    rules := rules || format(
      'coalesce((select p.role from public.profiles p where p.id = d.user_id), ''student'') = %L', role
    );
  end if;
  if joined_from is not null then
    rules := rules || format('d.joined_at >= %L', joined_from::timestamp at time zone 'utc');
  end if;
  if joined_to is not null then
    rules := rules || format('d.joined_at < %L', (joined_to + 1)::timestamp at time zone 'utc');
  end if;
  if after_id is not null then
    select d.* into after from private.member_directory d where d.user_id = after_id;
    if not found then
      return;
    end if;
    rules := rules || format(
      '(%s, d.user_id) %s (%L, %L)', key, case direction when 'desc' then '<' else '>' end,
      case when sort in ('name', 'name_desc') then after.search_key else after.joined_at::text end, after_id
    );
  end if;
  return query execute format(
    'select d.user_id, d.email, d.name, coalesce(p.role, ''student''), coalesce(l.current_level, 0), m.status,
       coalesce(u.banned_until > now(), false), d.joined_at
     from (select d.* from private.member_directory d where %1$s order by %2$s %3$s, d.user_id %3$s limit %4$s) d
     join auth.users u on u.id = d.user_id
     join private.membership_statuses m on m.user_id = d.user_id
     left join public.profiles p on p.id = d.user_id
     left join public.user_levels l on l.user_id = d.user_id
     order by %2$s %3$s, d.user_id %3$s',
    array_to_string(rules, ' and '), key, direction, least(greatest(coalesce(page_size, 50), 1), 100)
  );
end
$function$;
comment on function private.member_page(text,text,integer,text,date,date,text,uuid,integer) is 'One page of the members that match every filter that is not null; raises FF519 for an unknown one.';
grant execute on function private.member_page(text,text,integer,text,date,date,text,uuid,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.member_page(search text DEFAULT NULL::text, membership text DEFAULT NULL::text, level integer DEFAULT NULL::integer, role text DEFAULT NULL::text, joined_from date DEFAULT NULL::date, joined_to date DEFAULT NULL::date, sort text DEFAULT 'newest'::text, after_id uuid DEFAULT NULL::uuid, page_size integer DEFAULT 50)
 RETURNS SETOF public.member_row
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select * from private.member_page(search, membership, level, role,
    private.calendar_date(joined_from), private.calendar_date(joined_to), sort, after_id, page_size)
$function$;
comment on function public.member_page(text,text,integer,text,date,date,text,uuid,integer) is 'Administrators: members by part of name or address, membership, level, role and day of joining (UTC); the page after the account after_id.';
grant execute on function public.member_page(text,text,integer,text,date,date,text,uuid,integer) to authenticated;

-- member detail

create table private.member_notes (
  id bigint generated always as identity not null,
  user_id uuid not null,
  author uuid not null,
  note text not null,
  created_at timestamp with time zone default now() not null,
  constraint member_notes_pkey PRIMARY KEY (id),
  constraint member_notes_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint member_notes_note_check CHECK (((char_length(note) >= 1) AND (char_length(note) <= 2000)))
);
comment on table private.member_notes is 'Notes of administrators about members. Rows are only added; they go with their account.';
comment on column private.member_notes.author is 'Administrator who wrote it. Has no foreign key, so that the note survives that account.';
CREATE INDEX member_notes_user_id_idx ON private.member_notes USING btree (user_id, id DESC);
alter table private.member_notes enable row level security;
CREATE TRIGGER member_notes__append_only BEFORE DELETE OR UPDATE ON private.member_notes FOR EACH ROW EXECUTE FUNCTION private.tg_member_notes__append_only();

CREATE OR REPLACE FUNCTION private.tg_member_notes__append_only()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'DELETE' and not exists (select from auth.users u where u.id = old.user_id) then
    return old;
  end if;
  raise exception 'notes about members are only ever added';
end
$function$;

CREATE OR REPLACE FUNCTION private.require_account(member uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (select from auth.users u where u.id = member and u.deleted_at is null) then
    perform private.fail('FF510', 'There is no such account.');
  end if;
end
$function$;
comment on function private.require_account(uuid) is 'Raises FF510 unless the account exists.';

CREATE OR REPLACE FUNCTION private.add_member_note(member uuid, note text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
  written text := private.trimmed_message(note);
  added bigint;
begin
  if written is null or private.is_blank(written) or char_length(written) > 2000 then
    perform private.fail('FF518', 'A note has between 1 and 2000 characters.');
  end if;
  perform private.require_account(member);
  insert into private.member_notes (user_id, author, note) values (member, admin, written) returning id into added;
  -- Without the text: the entry outlives the account.
  perform private.audit(admin, 'account.note_added', member, jsonb_build_object('note_id', added));
end
$function$;
comment on function private.add_member_note(uuid,text) is 'Adds a note about an account; raises FF510 or FF518. Audited.';
grant execute on function private.add_member_note(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.add_member_note(member uuid, note text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.add_member_note(member, note) $function$;
comment on function public.add_member_note(uuid,text) is 'Administrators: add a note about a member. Notes cannot be changed.';
grant execute on function public.add_member_note(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION private.export_part_notes(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('notes', coalesce((
    select jsonb_agg(to_jsonb(n) - 'author' order by n.id) from private.member_notes n where n.user_id = member
  ), '[]'))
$function$;
comment on function private.export_part_notes(uuid) is 'Notes about one account, without who wrote them.';

CREATE OR REPLACE FUNCTION private.account_label(account uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(nullif(d.name, ''), d.email) from private.member_directory d where d.user_id = account
$function$;
comment on function private.account_label(uuid) is 'Name of an account, or its address without one; null when it is gone.';

CREATE OR REPLACE FUNCTION private.member_account(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', u.id, 'email', d.email, 'name', d.name, 'occupation', p.occupation, 'role', coalesce(p.role, 'student'),
    'level', coalesce(l.current_level, 0), 'joined_at', d.joined_at, 'last_sign_in_at', u.last_sign_in_at,
    'is_confirmed', u.email_confirmed_at is not null, 'is_onboarded', coalesce(p.onboarding_complete, false),
    'has_second_factor', exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'),
    'sessions', (
      select count(*) from auth.sessions s where s.user_id = u.id and (s.not_after is null or s.not_after > now())
    ),
    'suspension', case when u.banned_until > now() then jsonb_build_object(
      -- Without a limit, a suspension is stored as one of a hundred years.
      'until', case when u.banned_until < now() + interval '50 years' then u.banned_until end,
      'reason', (
        select a.detail ->> 'reason' from private.audit_log a
        where a.subject = u.id and a.action = 'account.suspended' order by a.happened_at desc, a.id desc limit 1
      )
    ) end
  )
  from auth.users u
  join private.member_directory d on d.user_id = u.id
  left join public.profiles p on p.id = u.id
  left join public.user_levels l on l.user_id = u.id
  where u.id = member
$function$;
comment on function private.member_account(uuid) is 'Account, profile, level and suspension of a member, for administrators.';

CREATE OR REPLACE FUNCTION private.member_billing(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with records as (
    select r.* from private.payment_records r join public.stripe_customers c using (customer_id) where c.user_id = member
  )
  select jsonb_build_object(
    'membership', (select m.status from private.membership_statuses m where m.user_id = member),
    'subscription', (
      select jsonb_build_object(
        'status', s.status, 'hold', s.hold, 'plan', private.plan_name(s.price_id),
        'pending_plan', private.plan_name(s.pending_price_id), 'period_ends_at', to_timestamp(s.current_period_end),
        'ends_with_period', s.cancel_at_period_end, 'card_brand', s.payment_method_brand, 'card_last4', s.payment_method_last4
      )
      from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = member and c.deleted_at is null and s.deleted_at is null and s.subscription_id is not null
    ),
    'paid_pence', coalesce((
      select sum(r.amount) from records r where r.kind = 'payment' and r.status = 'succeeded' and r.currency = 'gbp'
    ), 0),
    -- A refund that failed after it had succeeded leaves a record of each.
    'refunded_pence', coalesce((
      select sum(x.amount) from private.refunds_and_disputes x join public.stripe_customers c using (customer_id)
      where c.user_id = member and x.kind = 'refund' and x.status = 'succeeded' and x.currency = 'gbp'
    ), 0),
    'records', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.happened_at desc, l.id desc) from (
        select r.id, r.kind, r.status, r.amount, r.currency, r.reason, r.happened_at
        from records r order by r.happened_at desc, r.id desc limit 10
      ) l
    ), '[]')
  )
$function$;
comment on function private.member_billing(uuid) is 'Membership of a member and a summary of the payments, for administrators; totals in pence, of payments in pounds.';

CREATE OR REPLACE FUNCTION private.member_progress(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'completions', coalesce((
      select jsonb_agg(jsonb_build_object('level', c.level, 'completed_at', c.completed_at) order by c.level)
      from public.level_completions c where c.user_id = member
    ), '[]'),
    'requirements', coalesce((
      select jsonb_agg(jsonb_build_object(
        'level', r.level, 'kind', r.kind, 'category', r.category, 'needed', r.needed,
        'count', coalesce((
          select private.progress_count(g, r.kind, r.category) from public.user_progress g where g.user_id = member
        ), 0)
      ) order by r.level, r.kind)
      from public.level_requirements r
    ), '[]'),
    'evidence', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', e.id, 'kind', e.counter, 'category', e.category, 'label', s.label, 'path', s.path, 'happened_at', e.happened_at
      ) order by e.id desc)
      from (
        select l.*, k.counter, row_number() over (partition by k.counter, l.category order by l.id desc) as place
        from private.progress_ledger l
        join (values
          ('room_opened', 'rooms'), ('submission', 'submissions'), ('message', 'engagements'), ('like', 'engagements'),
          ('article_read', 'articles'), ('course_completed', 'courses')
        ) k (kind, counter) on k.kind = l.kind
        where l.user_id = member
      ) e
      left join lateral private.progress_event_subject(member, 4, e.kind, e.reference) s on true
      where e.place <= 5
    ), '[]')
  )
$function$;
comment on function private.member_progress(uuid) is 'Requirements of each level with a member''s counts and newest events, for administrators.';

CREATE OR REPLACE FUNCTION private.member_conduct(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with reports as (
    select r.id, r.reason, r.content, r.decision, r.created_at, r.user_id as reporter, m.user_id as author,
      m.chat_room_id, c.name as room
    from private.message_reports r
    join public.chat_messages m on m.id = r.message_id
    join public.chat_rooms c on c.id = m.chat_room_id
    where r.user_id = member or m.user_id = member
  )
  select jsonb_build_object(
    'submission_count', (select count(*) from public.learning_submissions s where s.user_id = member),
    'submissions', coalesce((
      select jsonb_agg(to_jsonb(n) order by n.created_at desc) from (
        select s.id, s.submission_type, s.title, s.is_featured, s.like_count, s.comment_count, s.created_at
        from public.learning_submissions s where s.user_id = member order by s.created_at desc, s.id limit 10
      ) n
    ), '[]'),
    'reports_made', (select count(*) from reports r where r.reporter = member),
    'reports_received', (select count(*) from reports r where r.author = member),
    'reports', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', n.id, 'is_about_member', n.author = member, 'other_id', case when n.author = member then n.reporter else n.author end,
        'other_name', private.account_label(case when n.author = member then n.reporter else n.author end),
        'reason', n.reason, 'content', left(n.content, 300), 'decision', n.decision, 'room', n.room, 'created_at', n.created_at
      ) order by n.id desc) from (select r.* from reports r order by r.id desc limit 20) n
    ), '[]')
  )
$function$;
comment on function private.member_conduct(uuid) is 'Submissions of a member, and reports by and about them, for administrators.';

CREATE OR REPLACE FUNCTION private.member_detail(member uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  perform private.require_account(member);
  return jsonb_build_object(
    'account', private.member_account(member),
    'billing', private.member_billing(member),
    'progress', private.member_progress(member),
    'conduct', private.member_conduct(member),
    'identity', jsonb_build_object(
      'is_flagged', exists (
        select from private.account_flags f where f.user_id = member and f.reason = 'verification_attempts_exhausted'
          and f.closed_at is null
      ),
      'documents', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', v.id, 'document_type', v.document_type, 'status', v.status, 'rejected_reason', v.rejected_reason,
          'submitted_at', v.submitted_at, 'reviewed_at', v.reviewed_at
        ) order by v.submitted_at desc) from public.user_verifications v where v.user_id = member
      ), '[]')
    ),
    'notes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', n.id, 'note', n.note, 'author', private.account_label(n.author), 'created_at', n.created_at
      ) order by n.id desc) from private.member_notes n where n.user_id = member
    ), '[]'),
    'audit', coalesce((
      select jsonb_agg(to_jsonb(e) order by e.happened_at desc, e.id desc)
      from private.audit_rows(null, false, null, member::text, null, null, null, 20) e
    ), '[]')
  );
end
$function$;
comment on function private.member_detail(uuid) is 'All parts of the administrators'' view of one account; raises FF510.';
grant execute on function private.member_detail(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.member_detail(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.member_detail(member) $function$;
comment on function public.member_detail(uuid) is 'Administrators: billing, progress, submissions, reports, identity, notes and audit entries of one member.';
grant execute on function public.member_detail(uuid) to authenticated;

-- suspensions

CREATE OR REPLACE FUNCTION private.require_fresh_second_factor()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_verified_admin();
  session constant uuid := (auth.jwt() ->> 'session_id')::uuid;
begin
  if not exists (
    select from auth.mfa_amr_claims c
    where c.session_id = session and c.authentication_method in ('totp', 'phone', 'mfa/webauthn')
      and c.updated_at > now() - interval '5 minutes'
  ) then
    perform private.fail('FF006', 'Enter a code of your second factor again.');
  end if;
  if not exists (
    select from auth.sessions s join auth.mfa_factors f on f.id = s.factor_id
    where s.id = session and f.user_id = caller and f.status = 'verified' and f.created_at <= s.created_at
  ) then
    perform private.fail('FF007', 'This second factor was set up after you signed in. Sign in again with it first.');
  end if;
  return caller;
end
$function$;
comment on function private.require_fresh_second_factor() is 'The calling administrator who entered a code in this session within five minutes (FF006) of a factor older than the session (FF007).';

CREATE OR REPLACE FUNCTION private.require_act_reason(reason text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  why text := private.trimmed_message(reason);
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF511', 'Give a reason of at most 500 characters.');
  end if;
  return why;
end
$function$;
comment on function private.require_act_reason(text) is 'The reason without white space at its ends; raises FF511 without one.';

CREATE OR REPLACE FUNCTION private.require_other_account(caller uuid, member uuid)
 RETURNS auth.users
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  account auth.users;
begin
  if member = caller then
    perform private.fail('FF513', 'Another administrator has to do this to your own account.');
  end if;
  select u.* into account from auth.users u where u.id = member and u.deleted_at is null for no key update;
  if not found then
    perform private.fail('FF510', 'There is no such account.');
  end if;
  return account;
end
$function$;
comment on function private.require_other_account(uuid,uuid) is 'The account, locked; raises FF510 without one and FF513 for the caller''s own.';

CREATE OR REPLACE FUNCTION private.suspend_member(member uuid, reason text, days integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
  account auth.users := private.require_other_account(admin, member);
  ends_at timestamptz := now() + make_interval(days => days);
begin
  if days not between 1 and 365 then
    perform private.fail('FF515', 'A suspension lasts 1 to 365 days, or until it is lifted.');
  end if;
  if exists (select from public.profiles p where p.id = member and p.role = 'admin') then
    perform private.fail('FF514', 'Take the administrator role away first.');
  end if;
  if account.banned_until > now() then
    perform private.fail('FF512', 'This account is suspended already.');
  end if;
  update auth.users u set banned_until = coalesce(ends_at, now() + interval '100 years') where u.id = member;
  update auth.sessions s set not_after = now() where s.user_id = member and (s.not_after is null or s.not_after > now());
  perform private.audit(admin, 'account.suspended', member, jsonb_build_object(
    'reason', why, 'before', jsonb_build_object('suspended', false),
    'after', jsonb_strip_nulls(jsonb_build_object('suspended', true, 'until', ends_at))
  ));
  perform private.enqueue_email(
    member, 'account_suspended', concat_ws(':', 'account_suspended', member, pg_current_xact_id()),
    jsonb_build_object('reason', why, 'until', ends_at)
  );
end
$function$;
comment on function private.suspend_member(uuid,text,integer) is 'Suspends an account for so many days, or until it is lifted (null), and ends its sessions. Audited, and told by e-mail.';
grant execute on function private.suspend_member(uuid,text,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.suspend_member(member uuid, reason text, days integer DEFAULT NULL::integer)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.suspend_member(member, reason, days) $function$;
comment on function public.suspend_member(uuid,text,integer) is 'Administrators: suspend a member with a reason, for 1 to 365 days or until it is lifted.';
grant execute on function public.suspend_member(uuid,text,integer) to authenticated;

CREATE OR REPLACE FUNCTION private.lift_suspension(member uuid, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
  account auth.users := private.require_other_account(admin, member);
begin
  if coalesce(account.banned_until <= now(), true) then
    perform private.fail('FF512', 'This account is not suspended.');
  end if;
  update auth.users u set banned_until = null where u.id = member;
  perform private.audit(admin, 'account.suspension_lifted', member, jsonb_build_object(
    'reason', why, 'before', jsonb_build_object('suspended', true), 'after', jsonb_build_object('suspended', false)
  ));
end
$function$;
comment on function private.lift_suspension(uuid,text) is 'Ends the suspension of an account. Audited.';
grant execute on function private.lift_suspension(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.lift_suspension(member uuid, reason text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.lift_suspension(member, reason) $function$;
comment on function public.lift_suspension(uuid,text) is 'Administrators: let a suspended member sign in again.';
grant execute on function public.lift_suspension(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION private.sign_out_member(member uuid, reason text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
  account auth.users := private.require_other_account(admin, member);
  ended integer;
begin
  delete from auth.sessions s where s.user_id = account.id;
  get diagnostics ended = row_count;
  perform private.audit(admin, 'account.signed_out', member, jsonb_build_object(
    'reason', why, 'before', jsonb_build_object('sessions', ended), 'after', jsonb_build_object('sessions', 0)
  ));
  return ended;
end
$function$;
comment on function private.sign_out_member(uuid,text) is 'Ends every session of an account; returns how many. Audited.';
grant execute on function private.sign_out_member(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.sign_out_member(member uuid, reason text)
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.sign_out_member(member, reason) $function$;
comment on function public.sign_out_member(uuid,text) is 'Administrators: sign a member out everywhere; returns how many sessions ended.';
grant execute on function public.sign_out_member(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION private.set_member_admin(member uuid, is_admin boolean, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_fresh_second_factor();
  why text := private.require_act_reason(reason);
  account auth.users;
  former text;
  chosen text;
begin
  perform pg_advisory_xact_lock(hashtextextended('private.set_member_admin', 0));
  perform private.require_fresh_second_factor();
  account := private.require_other_account(admin, member);
  select p.role into former from public.profiles p where p.id = member;
  if is_admin is null or (coalesce(former, 'student') = 'admin') = is_admin then
    perform private.fail('FF516', 'This account has that role already.');
  end if;
  if is_admin and (account.banned_until > now() or account.email_confirmed_at is null) then
    perform private.fail('FF517', 'A suspended account, or one with an unconfirmed address, cannot be an administrator.');
  end if;
  chosen := case when is_admin then 'admin' else private.plan_role(member) end;
  insert into public.profiles as p (id, role) values (member, chosen) on conflict (id) do update set role = excluded.role;
  if not is_admin then
    delete from private.pending_admins a where a.user_id = member;
  end if;
  perform private.audit(
    admin, case when is_admin then 'account.made_admin' else 'account.removed_admin' end, member,
    jsonb_build_object('reason', why, 'before', jsonb_build_object('role', former), 'after', jsonb_build_object('role', chosen))
  );
end
$function$;
comment on function private.set_member_admin(uuid,boolean,text) is 'Gives or takes the administrator role; a former administrator gets the role of the plan. Needs a code of the last five minutes. Audited.';
grant execute on function private.set_member_admin(uuid,boolean,text) to authenticated;

CREATE OR REPLACE FUNCTION public.set_member_admin(member uuid, is_admin boolean, reason text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.set_member_admin(member, is_admin, reason) $function$;
comment on function public.set_member_admin(uuid,boolean,text) is 'Administrators with a fresh second factor: make another account an administrator, or no longer one.';
grant execute on function public.set_member_admin(uuid,boolean,text) to authenticated;

-- audit pages

create type public.audit_entry as (
  id bigint,
  happened_at timestamp with time zone,
  actor uuid,
  actor_name text,
  action text,
  subject uuid,
  subject_name text,
  detail jsonb
);
comment on type public.audit_entry is 'An entry of the audit log. Names are those of today; null for the system and for accounts that are gone.';

CREATE OR REPLACE FUNCTION private.is_uuid(value text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select value ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
$function$;
comment on function private.is_uuid(text) is 'True for the text of a uuid.';

CREATE OR REPLACE FUNCTION private.audit_rows(actor uuid, by_system boolean, action text, about text, since date, until date, after_id bigint, max_rows integer)
 RETURNS SETOF public.audit_entry
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  rules text[] := array['true'];
  wanted text := btrim(coalesce(about, ''));
  after private.audit_log;
begin
  if by_system then
    rules := rules || 'a.actor is null'::text;
  elsif actor is not null then
    rules := rules || format('a.actor = %L', actor);
  end if;
  if action is not null then
    rules := rules || format('a.action = %L', action);
  end if;
  if private.is_uuid(wanted) then
    rules := rules || format('a.subject = %L', wanted);
  elsif wanted <> '' then
    rules := rules || format('a.subject = any (%L::uuid[])', array(
      select d.user_id from private.member_directory d
      where d.search_key like '%' || regexp_replace(private.search_key(left(wanted, 200)), '([\\%_])', '\\\1', 'g') || '%'
      limit 1000
    ));
  end if;
  if since is not null then
    rules := rules || format('a.happened_at >= %L', since::timestamp at time zone 'utc');
  end if;
  if until is not null then
    rules := rules || format('a.happened_at < %L', (until + 1)::timestamp at time zone 'utc');
  end if;
  if after_id is not null then
    select a.* into after from private.audit_log a where a.id = after_id;
    if not found then
      return;
    end if;
    rules := rules || format('(a.happened_at, a.id) < (%L, %L)', after.happened_at, after.id);
  end if;
  return query execute format(
    'select a.id, a.happened_at, a.actor, private.account_label(a.actor), a.action, a.subject,
       private.account_label(a.subject), a.detail
     from (select a.* from private.audit_log a where %s order by a.happened_at desc, a.id desc limit %s) a
     order by a.happened_at desc, a.id desc',
    array_to_string(rules, ' and '), max_rows
  );
end
$function$;
comment on function private.audit_rows(uuid,boolean,text,text,date,date,bigint,integer) is 'The newest entries that match every filter that is not null: of an actor or the system, of an action, about an account (its id, or part of its name or address), between two days (UTC), before another entry.';

CREATE OR REPLACE FUNCTION private.audit_page(actor uuid, by_system boolean, action text, about text, since date, until date, after_id bigint, page_size integer)
 RETURNS SETOF public.audit_entry
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return query select * from private.audit_rows(
    actor, by_system, action, about, since, until, after_id, least(greatest(coalesce(page_size, 50), 1), 100)
  );
end
$function$;
comment on function private.audit_page(uuid,boolean,text,text,date,date,bigint,integer) is 'One page of the audit log, newest first.';
grant execute on function private.audit_page(uuid,boolean,text,text,date,date,bigint,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.audit_page(actor uuid DEFAULT NULL::uuid, by_system boolean DEFAULT false, action text DEFAULT NULL::text, about text DEFAULT NULL::text, since date DEFAULT NULL::date, until date DEFAULT NULL::date, after_id bigint DEFAULT NULL::bigint, page_size integer DEFAULT 50)
 RETURNS SETOF public.audit_entry
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select * from private.audit_page(actor, by_system, action, about,
    private.calendar_date(since), private.calendar_date(until), after_id, page_size)
$function$;
comment on function public.audit_page(uuid,boolean,text,text,date,date,bigint,integer) is 'Administrators: entries of the audit log, newest first, a page at a time.';
grant execute on function public.audit_page(uuid,boolean,text,text,date,date,bigint,integer) to authenticated;

CREATE OR REPLACE FUNCTION private.audit_choices()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return (
    with recursive actions (action) as (
      (select a.action from private.audit_log a order by a.action limit 1)
      union all
      select (select a.action from private.audit_log a where a.action > n.action order by a.action limit 1)
      from actions n where n.action is not null
    ), actors (actor) as (
      (select a.actor from private.audit_log a where a.actor is not null order by a.actor limit 1)
      union all
      select (select a.actor from private.audit_log a where a.actor > n.actor order by a.actor limit 1)
      from actors n where n.actor is not null
    )
    select jsonb_build_object(
      'actions', coalesce((select jsonb_agg(n.action) from actions n where n.action is not null), '[]'),
      'actors', coalesce((
        select jsonb_agg(jsonb_build_object('id', n.actor, 'name', private.account_label(n.actor)))
        from actors n where n.actor is not null
      ), '[]')
    )
  );
end
$function$;
comment on function private.audit_choices() is 'The actions and actors that occur in the audit log, for its filters.';
grant execute on function private.audit_choices() to authenticated;

CREATE OR REPLACE FUNCTION public.audit_choices()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.audit_choices() $function$;
comment on function public.audit_choices() is 'Administrators: what the audit log can be filtered by.';
grant execute on function public.audit_choices() to authenticated;

CREATE OR REPLACE FUNCTION private.csv_cell(cell text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select '"' || replace(case when cell ~ '^[=+\-@\t\r]' then '''' || cell else coalesce(cell, '') end, '"', '""') || '"'
$function$;
comment on function private.csv_cell(text) is 'A quoted cell of a CSV file, which no spreadsheet takes for a formula.';

CREATE OR REPLACE FUNCTION private.export_audit_log(actor uuid, by_system boolean, action text, about text, since date, until date)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
  max_rows constant integer := 5000;
  lines text;
  count integer;
begin
  select string_agg(concat_ws(',',
      e.id, private.csv_cell(to_char(e.happened_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
      private.csv_cell(e.actor::text), private.csv_cell(e.actor_name), private.csv_cell(e.action),
      private.csv_cell(e.subject::text), private.csv_cell(e.subject_name), private.csv_cell(e.detail::text)
    ), E'\r\n' order by e.happened_at desc, e.id desc), count(*)::integer
  into lines, count
  from private.audit_rows(actor, by_system, action, about, since, until, null, max_rows) e;
  perform private.audit(admin, 'audit.exported', null, jsonb_strip_nulls(jsonb_build_object(
    'rows', count, 'actor', actor, 'by_system', nullif(by_system, false), 'action', action,
    -- A part of a name would outlive the account.
    'about', case when private.is_uuid(btrim(about)) then btrim(about) when about <> '' then 'a name' end,
    'since', since, 'until', until
  )));
  return jsonb_build_object(
    'csv', concat_ws(E'\r\n', 'id,happened_at,actor,actor_name,action,subject,subject_name,detail', lines) || E'\r\n',
    'rows', count, 'is_complete', count < max_rows
  );
end
$function$;
comment on function private.export_audit_log(uuid,boolean,text,text,date,date) is 'The newest 5,000 entries that match, as CSV. The export is an entry itself.';
grant execute on function private.export_audit_log(uuid,boolean,text,text,date,date) to authenticated;

CREATE OR REPLACE FUNCTION public.export_audit_log(actor uuid DEFAULT NULL::uuid, by_system boolean DEFAULT false, action text DEFAULT NULL::text, about text DEFAULT NULL::text, since date DEFAULT NULL::date, until date DEFAULT NULL::date)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.export_audit_log(actor, by_system, action, about,
    private.calendar_date(since), private.calendar_date(until))
$function$;
comment on function public.export_audit_log(uuid,boolean,text,text,date,date) is 'Administrators: the newest 5,000 matching entries of the audit log as CSV. Recorded.';
grant execute on function public.export_audit_log(uuid,boolean,text,text,date,date) to authenticated;

-- console rooms

CREATE OR REPLACE FUNCTION private.audit_change(actor uuid, action text, item jsonb, before jsonb, after jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  was jsonb;
  becomes jsonb;
begin
  select jsonb_object_agg(b.key, b.value), jsonb_object_agg(b.key, after -> b.key) into was, becomes
  from jsonb_each(before) b where b.value is distinct from after -> b.key;
  if was is null then
    return false;
  end if;
  perform private.audit(actor, action, null, item || jsonb_build_object('before', was, 'after', becomes));
  return true;
end
$function$;
comment on function private.audit_change(uuid,text,jsonb,jsonb,jsonb) is 'Adds an entry with the values that differ, before and after; false and no entry when none differs.';

CREATE OR REPLACE FUNCTION private.tg_chat_rooms__announce()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform realtime.send(jsonb_build_object('id', new.id), 'changed', 'rooms', true);
  return null;
end
$function$;
comment on function private.tg_chat_rooms__announce() is 'Broadcasts the id of a room that was created or edited.';

CREATE OR REPLACE FUNCTION private.content_rooms()
 RETURNS TABLE(id text, name text, description text, min_level_required integer, display_order integer, is_active boolean, participant_count integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return query
    select r.id, r.name, r.description, r.min_level_required, r.display_order, r.is_active, r.participant_count
    from public.chat_rooms r order by r.min_level_required, r.display_order, r.name, r.id;
end
$function$;
comment on function private.content_rooms() is 'All rooms, those that are not active too.';
grant execute on function private.content_rooms() to authenticated;

CREATE OR REPLACE FUNCTION private.create_room(room text, name text, description text, min_level_required integer, display_order integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_admin();
  created public.chat_rooms;
begin
  insert into public.chat_rooms (id, name, description, min_level_required, display_order)
  values (room, btrim(create_room.name), btrim(create_room.description), create_room.min_level_required,
    create_room.display_order)
  returning * into created;
  perform private.audit(
    admin, 'room.created', null,
    jsonb_build_object('room', room, 'before', null, 'after', to_jsonb(created) - 'participant_count' - 'id')
  );
end
$function$;
comment on function private.create_room(text,text,text,integer,integer) is 'Creates a room. Audited.';
grant execute on function private.create_room(text,text,text,integer,integer) to authenticated;

CREATE OR REPLACE FUNCTION private.edit_room(room text, name text, description text, min_level_required integer, display_order integer, is_active boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_admin();
  old_room public.chat_rooms;
  new_room public.chat_rooms;
begin
  select r.* into old_room from public.chat_rooms r where r.id = room for no key update;
  if not found then
    perform private.fail('FF430', 'There is no such room.');
  end if;
  update public.chat_rooms r set
    name = coalesce(btrim(edit_room.name), r.name),
    description = coalesce(btrim(edit_room.description), r.description),
    min_level_required = coalesce(edit_room.min_level_required, r.min_level_required),
    display_order = coalesce(edit_room.display_order, r.display_order),
    is_active = coalesce(edit_room.is_active, r.is_active)
  where r.id = room returning r.* into new_room;
  perform private.audit_change(
    admin, 'room.edited', jsonb_build_object('room', room),
    to_jsonb(old_room) - 'participant_count', to_jsonb(new_room) - 'participant_count'
  );
  -- Members in a room they may not enter any more are not counted in it.
  delete from private.room_leases l
  where l.chat_room_id = room
    and (not new_room.is_active or private.effective_level(l.user_id) < new_room.min_level_required);
end
$function$;
comment on function private.edit_room(text,text,text,integer,integer,boolean) is 'Changes the given fields of a room; null keeps a field. Ends the leases of members it closes for. Audited.';
grant execute on function private.edit_room(text,text,text,integer,integer,boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.content_rooms()
 RETURNS TABLE(id text, name text, description text, min_level_required integer, display_order integer, is_active boolean, participant_count integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.content_rooms() $function$;
comment on function public.content_rooms() is 'Administrators: all rooms, those that are not active too.';
grant execute on function public.content_rooms() to authenticated;

CREATE OR REPLACE FUNCTION public.create_room(room_id text, name text, min_level_required integer, description text DEFAULT ''::text, display_order integer DEFAULT 0)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.create_room(room_id, name, description, min_level_required, display_order)
$function$;
comment on function public.create_room(text,text,integer,text,integer) is 'Administrators: create a room.';
grant execute on function public.create_room(text,text,integer,text,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.edit_room(room_id text, name text DEFAULT NULL::text, description text DEFAULT NULL::text, min_level_required integer DEFAULT NULL::integer, display_order integer DEFAULT NULL::integer, is_active boolean DEFAULT NULL::boolean)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.edit_room(room_id, name, description, min_level_required, display_order, is_active)
$function$;
comment on function public.edit_room(text,text,text,integer,integer,boolean) is 'Administrators: change the given fields of a room. A room that is not active vanishes for members, with its messages kept.';
grant execute on function public.edit_room(text,text,text,integer,integer,boolean) to authenticated;

-- console library

create table private.console_edits (
  row_id uuid not null,
  column_name text not null,
  constraint console_edits_pkey PRIMARY KEY (row_id, column_name)
);
comment on table private.console_edits is 'Columns of the library an administrator set in the console. An import keeps them.';
comment on column private.console_edits.row_id is 'Id of a subcategory, an article or a course.';
alter table private.console_edits enable row level security;

CREATE OR REPLACE FUNCTION private.keep_console_edits(id uuid, columns text[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.console_edits (row_id, column_name) select keep_console_edits.id, c from unnest(columns) c
  on conflict do nothing
$function$;
comment on function private.keep_console_edits(uuid,text[]) is 'Remembers that imports have to keep these columns of a row.';

CREATE OR REPLACE FUNCTION private.content_subcategories()
 RETURNS TABLE(id uuid, main_category text, slug text, name text, description text, color text, icon text, display_order integer, is_active boolean, article_count integer, course_count integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return query
    select s.id, s.main_category, s.slug, s.name, s.description, s.color, s.icon, s.display_order, s.is_active,
      (select count(*)::integer from public.articles a where a.subcategory_id = s.id and a.is_published),
      (select count(*)::integer from public.courses c where c.subcategory_id = s.id and c.is_published)
    from public.subcategories s
    order by private.category_level(s.main_category), s.display_order, s.name, s.id;
end
$function$;
comment on function private.content_subcategories() is 'All subcategories with the number of their published articles and courses.';
grant execute on function private.content_subcategories() to authenticated;

CREATE OR REPLACE FUNCTION private.create_subcategory(main_category text, slug text, name text, description text, color text, icon text, display_order integer)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_admin();
  created public.subcategories;
begin
  insert into public.subcategories (main_category, slug, name, description, color, icon, display_order)
  values (create_subcategory.main_category, create_subcategory.slug, btrim(create_subcategory.name),
    btrim(create_subcategory.description), create_subcategory.color, create_subcategory.icon,
    create_subcategory.display_order)
  returning * into created;
  perform private.keep_console_edits(created.id, '{name,description,color,icon,display_order,is_active}');
  perform private.audit(
    admin, 'subcategory.created', null,
    jsonb_build_object('subcategory', created.id, 'before', null, 'after', to_jsonb(created) - 'id')
  );
  return created.id;
end
$function$;
comment on function private.create_subcategory(text,text,text,text,text,text,integer) is 'Creates a subcategory; its id. Audited.';
grant execute on function private.create_subcategory(text,text,text,text,text,text,integer) to authenticated;

CREATE OR REPLACE FUNCTION private.edit_subcategory(id uuid, name text, description text, color text, icon text, display_order integer, is_active boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_admin();
  old_row public.subcategories;
  new_row public.subcategories;
begin
  select s.* into old_row from public.subcategories s where s.id = edit_subcategory.id for no key update;
  if not found then
    perform private.fail('FF430', 'There is no such subcategory.');
  end if;
  update public.subcategories s set
    name = coalesce(btrim(edit_subcategory.name), s.name),
    description = coalesce(btrim(edit_subcategory.description), s.description),
    color = coalesce(edit_subcategory.color, s.color),
    icon = coalesce(edit_subcategory.icon, s.icon),
    display_order = coalesce(edit_subcategory.display_order, s.display_order),
    is_active = coalesce(edit_subcategory.is_active, s.is_active)
  where s.id = old_row.id returning s.* into new_row;
  if private.audit_change(
    admin, 'subcategory.edited', jsonb_build_object('subcategory', old_row.id), to_jsonb(old_row), to_jsonb(new_row)
  ) then
    perform private.keep_console_edits(old_row.id, array(
      select o.key from jsonb_each(to_jsonb(old_row)) o where o.value is distinct from to_jsonb(new_row) -> o.key
    ));
  end if;
end
$function$;
comment on function private.edit_subcategory(uuid,text,text,text,text,integer,boolean) is 'Changes the given fields of a subcategory; null keeps a field. Audited.';
grant execute on function private.edit_subcategory(uuid,text,text,text,text,integer,boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.content_subcategories()
 RETURNS TABLE(id uuid, main_category text, slug text, name text, description text, color text, icon text, display_order integer, is_active boolean, article_count integer, course_count integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.content_subcategories() $function$;
comment on function public.content_subcategories() is 'Administrators: all subcategories of the library.';
grant execute on function public.content_subcategories() to authenticated;

CREATE OR REPLACE FUNCTION public.create_subcategory(main_category text, slug text, name text, description text DEFAULT ''::text, color text DEFAULT '#64748b'::text, icon text DEFAULT 'book-open'::text, display_order integer DEFAULT 0)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.create_subcategory(main_category, slug, name, description, color, icon, display_order)
$function$;
comment on function public.create_subcategory(text,text,text,text,text,text,integer) is 'Administrators: create a subcategory; its id.';
grant execute on function public.create_subcategory(text,text,text,text,text,text,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.edit_subcategory(subcategory_id uuid, name text DEFAULT NULL::text, description text DEFAULT NULL::text, color text DEFAULT NULL::text, icon text DEFAULT NULL::text, display_order integer DEFAULT NULL::integer, is_active boolean DEFAULT NULL::boolean)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.edit_subcategory(subcategory_id, name, description, color, icon, display_order, is_active)
$function$;
comment on function public.edit_subcategory(uuid,text,text,text,text,integer,boolean) is 'Administrators: change the given fields of a subcategory. One that is not active hides its articles and courses.';
grant execute on function public.edit_subcategory(uuid,text,text,text,text,integer,boolean) to authenticated;

-- console items

CREATE OR REPLACE FUNCTION private.content_items(shelf text, search text, category text, subcategory uuid, status text, page_size integer, skip integer)
 RETURNS TABLE(id uuid, title text, slug text, main_category text, subcategory_id uuid, subcategory_name text, subcategory_is_active boolean, author_name text, is_published boolean, is_featured boolean, readers integer, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  wanted text := lower(btrim(coalesce(search, '')));
begin
  perform private.require_admin();
  perform private.require_shelf(shelf);
  return query
    with items as (
      select a.id, a.title, a.slug, a.subcategory_id, a.author_id, a.is_published, a.is_featured, a.created_at,
        (select count(*)::integer from public.article_reads r where r.article_id = a.id) as readers
      from public.articles a where shelf = 'articles'
      union all
      select c.id, c.title, c.slug, c.subcategory_id, c.mentor_id, c.is_published, c.is_featured, c.created_at,
        (select count(*)::integer from public.course_enrollments e where e.course_id = c.id and e.completed_at is not null)
      from public.courses c where shelf = 'courses'
    )
    select i.id, i.title, i.slug, s.main_category, s.id, s.name, s.is_active,
      nullif(btrim(concat_ws(' ', p.first_name, p.last_name)), ''), i.is_published, i.is_featured, i.readers, i.created_at
    from items i
    join public.subcategories s on s.id = i.subcategory_id
    left join public.profiles p on p.id = i.author_id
    where (wanted = '' or position(wanted in lower(i.title)) > 0 or position(wanted in i.slug) > 0)
      and (category is null or s.main_category = category)
      and (subcategory is null or s.id = subcategory)
      and case status
        when 'published' then i.is_published
        when 'withdrawn' then not i.is_published
        when 'featured' then i.is_featured
        else true
      end
    order by private.category_level(s.main_category), s.display_order, s.name, i.created_at desc, i.title, i.id
    limit least(greatest(coalesce(page_size, 50), 1), 200) offset greatest(coalesce(skip, 0), 0);
end
$function$;
comment on function private.content_items(text,text,text,uuid,text,integer,integer) is 'Articles or courses, withdrawn ones too, in the order of the library; at most 200. readers: members who read or completed it.';
grant execute on function private.content_items(text,text,text,uuid,text,integer,integer) to authenticated;

CREATE OR REPLACE FUNCTION private.edit_content_item(shelf text, item uuid, is_published boolean, is_featured boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_admin();
  was jsonb;
  becomes jsonb;
begin
  perform private.require_shelf(shelf);
  if shelf = 'articles' then
    select jsonb_build_object('is_published', a.is_published, 'is_featured', a.is_featured) into was
    from public.articles a where a.id = item for no key update;
  else
    select jsonb_build_object('is_published', c.is_published, 'is_featured', c.is_featured) into was
    from public.courses c where c.id = item for no key update;
  end if;
  if was is null then
    perform private.fail('FF430', 'There is no such article or course.');
  end if;
  becomes := was || jsonb_strip_nulls(jsonb_build_object('is_published', is_published, 'is_featured', is_featured));
  if not private.audit_change(
    admin, case shelf when 'articles' then 'article.edited' else 'course.edited' end,
    jsonb_build_object(case shelf when 'articles' then 'article' else 'course' end, item), was, becomes
  ) then
    return;
  end if;
  if shelf = 'articles' then
    update public.articles a
    set is_published = (becomes ->> 'is_published')::boolean, is_featured = (becomes ->> 'is_featured')::boolean
    where a.id = item;
  else
    update public.courses c
    set is_published = (becomes ->> 'is_published')::boolean, is_featured = (becomes ->> 'is_featured')::boolean
    where c.id = item;
  end if;
  perform private.keep_console_edits(item, array(
    select o.key from jsonb_each(was) o where o.value is distinct from becomes -> o.key
  ));
end
$function$;
comment on function private.edit_content_item(text,uuid,boolean,boolean) is 'Publishes, withdraws or features an article or a course; null keeps a mark. Reads and completions stay. Audited.';
grant execute on function private.edit_content_item(text,uuid,boolean,boolean) to authenticated;

CREATE OR REPLACE FUNCTION private.level_supply()
 RETURNS TABLE(level integer, kind text, category text, needed integer, available integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select r.level, r.kind, r.category, r.needed, case r.kind
    when 'rooms' then (
      select count(*)::integer from public.chat_rooms c where c.is_active and c.min_level_required <= r.level
    )
    when 'articles' then (
      select count(*)::integer from public.articles a join public.subcategories s on s.id = a.subcategory_id
      where a.is_published and s.is_active and s.main_category = r.category
    )
    when 'courses' then (
      select count(*)::integer from public.courses c join public.subcategories s on s.id = c.subcategory_id
      where c.is_published and s.is_active and s.main_category = r.category and c.module_count > 0
    )
  end
  from public.level_requirements r order by r.level, r.kind
$function$;
comment on function private.level_supply() is 'Every requirement with the number of rooms, articles or courses there are for it; null where members make them.';

CREATE OR REPLACE FUNCTION private.content_supply()
 RETURNS TABLE(level integer, kind text, category text, needed integer, available integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return query select * from private.level_supply();
end
$function$;
comment on function private.content_supply() is 'level_supply for administrators.';
grant execute on function private.content_supply() to authenticated;

CREATE OR REPLACE FUNCTION public.content_items(shelf text, search text DEFAULT ''::text, category text DEFAULT NULL::text, subcategory uuid DEFAULT NULL::uuid, status text DEFAULT NULL::text, page_size integer DEFAULT 50, skip integer DEFAULT 0)
 RETURNS TABLE(id uuid, title text, slug text, main_category text, subcategory_id uuid, subcategory_name text, subcategory_is_active boolean, author_name text, is_published boolean, is_featured boolean, readers integer, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select * from private.content_items(shelf, search, category, subcategory, status, page_size, skip)
$function$;
comment on function public.content_items(text,text,text,uuid,text,integer,integer) is 'Administrators: articles or courses by title, category, subcategory and status (published, withdrawn, featured).';
grant execute on function public.content_items(text,text,text,uuid,text,integer,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.edit_content_item(shelf text, item_id uuid, is_published boolean DEFAULT NULL::boolean, is_featured boolean DEFAULT NULL::boolean)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.edit_content_item(shelf, item_id, is_published, is_featured)
$function$;
comment on function public.edit_content_item(text,uuid,boolean,boolean) is 'Administrators: publish, withdraw or feature an article or a course.';
grant execute on function public.edit_content_item(text,uuid,boolean,boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.content_supply()
 RETURNS TABLE(level integer, kind text, category text, needed integer, available integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.content_supply() $function$;
comment on function public.content_supply() is 'Administrators: what each level asks for, and how much of it there is.';
grant execute on function public.content_supply() to authenticated;

-- console levels

CREATE OR REPLACE FUNCTION private.require_requirement(level integer, kind text, needed integer)
 RETURNS public.level_requirements
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found_row public.level_requirements;
begin
  select r.* into found_row from public.level_requirements r
  where r.level = require_requirement.level and r.kind = require_requirement.kind for update;
  if not found then
    perform private.fail('FF440', 'This level does not ask for that.');
  end if;
  if needed is null or needed not between 1 and 10000 then
    perform private.fail('FF441', 'A requirement is a whole number from 1 to 10,000.');
  end if;
  return found_row;
end
$function$;
comment on function private.require_requirement(integer,text,integer) is 'The stored requirement, locked; FF440 when there is none, FF441 when the new figure is out of range.';

CREATE OR REPLACE FUNCTION private.preview_level_requirement(level integer, kind text, needed integer)
 RETURNS TABLE(current_needed integer, available integer, members integer, ready_before integer, ready_after integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  stored public.level_requirements;
begin
  perform private.require_verified_admin();
  stored := private.require_requirement(level, kind, needed);
  return query
    with members as (
      -- The next progress event brings the counter of rooms up to the ledger and the new figure.
      select private.progress_count_uncapped(p, stored.kind, stored.category) as done,
        (select bool_and(private.progress_count_uncapped(p, r.kind, r.category) >= r.needed) from public.level_requirements r
          where r.level = stored.level and r.kind <> stored.kind) is not false as has_rest
      from public.user_progress p join public.profiles f on f.id = p.user_id
      where p.current_level = stored.level and f.onboarding_complete and f.role <> 'admin'
        and not exists (select from public.level_completions d where d.user_id = p.user_id and d.level = stored.level)
    )
    select stored.needed,
      (select s.available from private.level_supply() s where s.level = stored.level and s.kind = stored.kind),
      count(*)::integer,
      (count(*) filter (where m.has_rest and m.done >= stored.needed))::integer,
      (count(*) filter (where m.has_rest and m.done >= preview_level_requirement.needed))::integer
    from members m;
end
$function$;
comment on function private.preview_level_requirement(integer,text,integer) is 'What a new figure means: members at the level, and how many of them would complete it with their next progress event.';
grant execute on function private.preview_level_requirement(integer,text,integer) to authenticated;

CREATE OR REPLACE FUNCTION private.set_level_requirement(level integer, kind text, needed integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
  stored public.level_requirements := private.require_requirement(level, kind, needed);
  available integer;
begin
  select s.available into available from private.level_supply() s where s.level = stored.level and s.kind = stored.kind;
  if set_level_requirement.needed > available then
    perform private.fail('FF445', 'A level cannot ask for more than there is.', available::text);
  end if;
  update public.level_requirements r set needed = set_level_requirement.needed
  where r.level = stored.level and r.kind = stored.kind;
  perform private.audit_change(
    admin, 'level_requirement.edited', jsonb_build_object('level', stored.level, 'kind', stored.kind),
    jsonb_build_object('needed', stored.needed), jsonb_build_object('needed', needed)
  );
end
$function$;
comment on function private.set_level_requirement(integer,text,integer) is 'Changes what a level asks for, from each member''s next progress event; FF445 above what there is. No level is lowered. Audited.';
grant execute on function private.set_level_requirement(integer,text,integer) to authenticated;

CREATE OR REPLACE FUNCTION private.plan_overview()
 RETURNS TABLE(id text, name text, role text, amount_pence integer, currency text, "interval" text, price_id text, is_active boolean, members integer, former_price_members integer, last_event_at timestamp with time zone, last_check_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return query
    select p.id, p.name, p.role, p.amount_pence, p.currency, p."interval", p.price_id, p.is_active,
      coalesce(sold.all_prices, 0), coalesce(sold.former_prices, 0),
      (select max(e.applied_at) from private.billing_events e), (select max(k.checked_at) from private.billing_checks k)
    from public.plans p
    left join lateral (
      select count(*)::integer as all_prices, (count(*) filter (where s.price_id <> p.price_id))::integer as former_prices
      from public.stripe_subscriptions s join private.plan_prices o on o.price_id = s.price_id
      where o.plan_id = p.id and s.deleted_at is null and s.status in ('active', 'trialing')
    ) sold on true
    order by p.amount_pence, p.id;
end
$function$;
comment on function private.plan_overview() is 'The plans with their members, and when the card provider was last heard from and compared with; null for never.';
grant execute on function private.plan_overview() to authenticated;

CREATE OR REPLACE FUNCTION public.preview_level_requirement(level integer, kind text, needed integer)
 RETURNS TABLE(current_needed integer, available integer, members integer, ready_before integer, ready_after integer)
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select * from private.preview_level_requirement(level, kind, needed) $function$;
comment on function public.preview_level_requirement(integer,text,integer) is 'Administrators with a second factor: what a new figure of a level''s requirement would mean.';
grant execute on function public.preview_level_requirement(integer,text,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.set_level_requirement(level integer, kind text, needed integer)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.set_level_requirement(level, kind, needed) $function$;
comment on function public.set_level_requirement(integer,text,integer) is 'Administrators with a second factor: change what a level asks for.';
grant execute on function public.set_level_requirement(integer,text,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.plan_overview()
 RETURNS TABLE(id text, name text, role text, amount_pence integer, currency text, "interval" text, price_id text, is_active boolean, members integer, former_price_members integer, last_event_at timestamp with time zone, last_check_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.plan_overview() $function$;
comment on function public.plan_overview() is 'Administrators: the plans on sale and the state of the link to the card provider.';
grant execute on function public.plan_overview() to authenticated;

-- email texts

create table private.email_texts (
  template text not null,
  key text not null,
  placeholders text[] default '{}'::text[] not null,
  text text,
  constraint email_texts_pkey PRIMARY KEY (template, key),
  constraint email_texts_template_fkey FOREIGN KEY (template) REFERENCES private.email_templates(name)
);
comment on table private.email_texts is 'Every text of an e-mail that may be changed in the console.';
comment on column private.email_texts.key is 'subject, heading, or the name of a paragraph.';
comment on column private.email_texts.placeholders is 'Names that may stand in braces, such as plan.';
comment on column private.email_texts.text is 'Plain text in place of the default; null for the default.';
alter table private.email_texts enable row level security;

CREATE OR REPLACE FUNCTION private.changed_email_texts(template text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_object_agg(t.key, t.text), '{}') from private.email_texts t
  where t.template = changed_email_texts.template and t.text is not null
$function$;
comment on function private.changed_email_texts(text) is 'The texts of an e-mail that differ from the defaults, by key.';

CREATE OR REPLACE FUNCTION private.email_text_overview()
 RETURNS TABLE(template text, key text, placeholders text[], text text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return query select t.template, t.key, t.placeholders, t.text from private.email_texts t order by t.template, t.key;
end
$function$;
comment on function private.email_text_overview() is 'Every text that may be changed; text is null for the default.';
grant execute on function private.email_text_overview() to authenticated;

CREATE OR REPLACE FUNCTION private.set_email_text(template text, key text, wanted text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
  stored private.email_texts;
  new_text text := btrim(wanted);
  longest integer := case key when 'subject' then 78 when 'heading' then 100 else 1000 end;
  unknown text;
begin
  select t.* into stored from private.email_texts t
  where t.template = set_email_text.template and t.key = set_email_text.key for update;
  if not found then
    perform private.fail('FF442', 'There is no such text.');
  end if;
  if new_text is not null then
    if new_text = '' or char_length(new_text) > longest or new_text ~ '[[:cntrl:]\u2028\u2029]' then
      perform private.fail('FF443', format('This text is one line of 1 to %s characters.', longest));
    end if;
    -- What is left of braces after the known names is a name nothing would fill in.
    select m[1] into unknown from regexp_matches(new_text, '\{[^{}]*\}?|\}', 'g') with ordinality x (m, place)
    where m[1] <> all (array(select '{' || p || '}' from unnest(stored.placeholders) p)) order by place limit 1;
    if unknown is not null then
      perform private.fail('FF444', 'The text names a value this e-mail does not have.', unknown);
    end if;
  end if;
  update private.email_texts t set text = new_text where t.template = stored.template and t.key = stored.key;
  perform private.audit_change(
    admin, 'email_text.edited', jsonb_build_object('template', stored.template, 'key', stored.key),
    jsonb_build_object('text', stored.text), jsonb_build_object('text', new_text)
  );
end
$function$;
comment on function private.set_email_text(text,text,text) is 'Replaces a text of an e-mail, or brings the default back (null). Checks length and placeholders. Audited.';
grant execute on function private.set_email_text(text,text,text) to authenticated;

CREATE OR REPLACE FUNCTION public.email_text_overview()
 RETURNS TABLE(template text, key text, placeholders text[], text text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.email_text_overview() $function$;
comment on function public.email_text_overview() is 'Administrators with a second factor: the texts of e-mails that may be changed.';
grant execute on function public.email_text_overview() to authenticated;

CREATE OR REPLACE FUNCTION public.set_email_text(template text, key text, new_text text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.set_email_text(template, key, new_text) $function$;
comment on function public.set_email_text(text,text,text) is 'Administrators with a second factor: replace a text of an e-mail; null brings the default back.';
grant execute on function public.set_email_text(text,text,text) to authenticated;

-- admin complimentary

CREATE OR REPLACE FUNCTION private.require_reason(reason text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  why text := nullif(btrim(reason), '');
begin
  if why is null or char_length(why) > 500 then
    perform private.fail('FF240', 'Give a reason of at most 500 characters.');
  end if;
  return why;
end
$function$;
comment on function private.require_reason(text) is 'The trimmed reason of an act; raises FF240 without one.';

CREATE OR REPLACE FUNCTION private.end_complimentary_memberships()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  member uuid;
  ended integer := 0;
begin
  for member in
    update public.complimentary_memberships m set ended_at = m.ends_at
    where m.ended_at is null and m.ends_at <= now() returning m.user_id
  loop
    perform private.set_role_from_plan(member, private.plan_role(member));
    ended := ended + 1;
  end loop;
  return ended;
end
$function$;
comment on function private.end_complimentary_memberships() is 'Ends complimentary memberships that are over; returns how many.';
grant execute on function private.end_complimentary_memberships() to service_role;

CREATE OR REPLACE FUNCTION public.end_complimentary_memberships()
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.end_complimentary_memberships() $function$;
comment on function public.end_complimentary_memberships() is 'Server: end complimentary memberships that are over.';
grant execute on function public.end_complimentary_memberships() to service_role;

CREATE OR REPLACE FUNCTION private.admin_grant_complimentary(member_email text, plan text, ends_at timestamp with time zone, reason text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_reason(reason);
  member uuid;
  granted uuid;
begin
  select u.id into member from auth.users u
  where lower(u.email) = lower(btrim(member_email)) and u.is_anonymous is not true for update;
  if not found then
    perform private.fail('FF241', 'No account has this e-mail address.');
  end if;
  if exists (select from public.profiles p where p.id = member and p.role = 'admin') then
    perform private.fail('FF242', 'Administrators have full access without a membership.');
  end if;
  if not exists (select from public.plans p where p.id = plan) then
    perform private.fail('FF243', 'There is no such plan.');
  end if;
  if ends_at <= now() or ends_at > now() + interval '100 years' then
    perform private.fail('FF244', 'The end has to be in the future, within a hundred years.');
  end if;
  update public.complimentary_memberships m set ended_at = m.ends_at
  where m.user_id = member and m.ended_at is null and m.ends_at <= now();
  insert into public.complimentary_memberships as m (user_id, plan_id, reason, ends_at)
  values (member, plan, why, admin_grant_complimentary.ends_at)
  on conflict do nothing returning m.id into granted;
  if granted is null then
    perform private.fail('FF245', 'This member has a complimentary membership already. Revoke it first.');
  end if;
  perform private.set_role_from_plan(member, private.plan_role(member));
  perform private.audit(admin, 'membership.complimentary_granted', member, jsonb_build_object(
    'before', null, 'after', jsonb_build_object('id', granted, 'plan', plan, 'ends_at', admin_grant_complimentary.ends_at),
    'reason', why
  ));
  return granted;
end
$function$;
comment on function private.admin_grant_complimentary(text,text,timestamp with time zone,text) is 'Gives an account a plan without payment, until a moment or open-ended. Audited.';
grant execute on function private.admin_grant_complimentary(text,text,timestamp with time zone,text) to authenticated;

CREATE OR REPLACE FUNCTION public.admin_grant_complimentary(member_email text, plan text, ends_at timestamp with time zone, reason text)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.admin_grant_complimentary(member_email, plan, ends_at, reason)
$function$;
comment on function public.admin_grant_complimentary(text,text,timestamp with time zone,text) is 'Administrators: give the account with this address a plan without payment; ends_at null for open-ended. Returns its id.';
grant execute on function public.admin_grant_complimentary(text,text,timestamp with time zone,text) to authenticated;

CREATE OR REPLACE FUNCTION private.admin_revoke_complimentary(membership_id uuid, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_reason(reason);
  revoked public.complimentary_memberships;
begin
  update public.complimentary_memberships m set ended_at = now()
  where m.id = membership_id and m.ended_at is null returning m.* into revoked;
  if not found then
    perform private.fail('FF246', 'This complimentary membership has ended already.');
  end if;
  perform private.set_role_from_plan(revoked.user_id, private.plan_role(revoked.user_id));
  perform private.audit(admin, 'membership.complimentary_revoked', revoked.user_id, jsonb_build_object(
    'before', jsonb_build_object('id', revoked.id, 'plan', revoked.plan_id, 'ends_at', revoked.ends_at),
    'after', null, 'reason', why
  ));
end
$function$;
comment on function private.admin_revoke_complimentary(uuid,text) is 'Ends a complimentary membership at once. Audited.';
grant execute on function private.admin_revoke_complimentary(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.admin_revoke_complimentary(membership_id uuid, reason text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.admin_revoke_complimentary(membership_id, reason) $function$;
comment on function public.admin_revoke_complimentary(uuid,text) is 'Administrators: end a complimentary membership at once.';
grant execute on function public.admin_revoke_complimentary(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION private.admin_complimentary_memberships()
 RETURNS TABLE(id uuid, user_id uuid, email text, first_name text, last_name text, plan_id text, plan_name text, reason text, granted_at timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return query
    select m.id, m.user_id, u.email::text, p.first_name, p.last_name, m.plan_id, o.name, m.reason,
      m.granted_at, m.ends_at, coalesce(m.ended_at, case when m.ends_at <= now() then m.ends_at end)
    from public.complimentary_memberships m
    join public.plans o on o.id = m.plan_id
    join auth.users u on u.id = m.user_id
    left join public.profiles p on p.id = m.user_id
    order by m.ended_at is not null, m.granted_at desc, m.id limit 500;
end
$function$;
comment on function private.admin_complimentary_memberships() is 'Complimentary memberships, current ones first.';
grant execute on function private.admin_complimentary_memberships() to authenticated;

CREATE OR REPLACE FUNCTION public.admin_complimentary_memberships()
 RETURNS TABLE(id uuid, user_id uuid, email text, first_name text, last_name text, plan_id text, plan_name text, reason text, granted_at timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.admin_complimentary_memberships() $function$;
comment on function public.admin_complimentary_memberships() is 'Administrators: the latest 500 complimentary memberships, current ones first.';
grant execute on function public.admin_complimentary_memberships() to authenticated;

CREATE OR REPLACE FUNCTION private.export_part_complimentary(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('complimentary_memberships', coalesce(
    (select jsonb_agg(to_jsonb(m) order by m.granted_at) from public.complimentary_memberships m where m.user_id = member), '[]'))
$function$;
comment on function private.export_part_complimentary(uuid) is 'Complimentary memberships of one account.';

-- admin refunds

create table private.refund_requests (
  id uuid not null,
  charge_id text not null,
  amount_pence bigint not null,
  reason text not null,
  state text default 'started'::text not null,
  refund_id text,
  requested_at timestamp with time zone default now() not null,
  last_tried_at timestamp with time zone default now() not null,
  constraint refund_requests_refund_id_key UNIQUE (refund_id),
  constraint refund_requests_pkey PRIMARY KEY (id),
  constraint refund_requests_amount_check CHECK ((amount_pence > 0)),
  constraint refund_requests_state_check CHECK ((state = ANY (ARRAY['started'::text, 'made'::text, 'refused'::text, 'unclear'::text, 'failed'::text])))
);
comment on table private.refund_requests is 'Refunds asked for in the console. The id is the idempotency key at the card provider. Names no account; the audit log does.';
comment on column private.refund_requests.state is 'unclear while the card provider has not answered: the refund may have been made.';
comment on column private.refund_requests.last_tried_at is 'When a function last began to ask the card provider.';
CREATE INDEX refund_requests_charge_id_idx ON private.refund_requests USING btree (charge_id);
alter table private.refund_requests enable row level security;

CREATE OR REPLACE FUNCTION private.admin_begin_refund(request uuid, payment text, amount_pence bigint, reason text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_fresh_second_factor();
  why text := private.require_reason(reason);
  paid private.billing_charges;
  member uuid;
  known private.refund_requests;
begin
  -- The lock lets one request of a payment begin at a time.
  select c.* into paid from private.billing_charges c where c.charge_id = payment for update;
  if not found then
    perform private.fail('FF250', 'There is no such payment.');
  end if;
  select q.* into known from private.refund_requests q where q.id = request;
  if found then
    if (known.charge_id, known.amount_pence, known.reason) is distinct from (payment, admin_begin_refund.amount_pence, why) then
      perform private.fail('FF251', 'This request was made for another refund.');
    end if;
    if known.state in ('made', 'failed') then
      return to_jsonb(known);
    end if;
  end if;
  if exists (
    select from private.refund_requests q
    where q.charge_id = payment and q.id <> request and q.state in ('started', 'unclear')
  ) then
    perform private.fail('FF255', 'Another refund of this payment is not finished yet. Finish it first.');
  end if;
  if known.id is not null then
    update private.refund_requests q set state = 'started', last_tried_at = clock_timestamp() where q.id = request
    returning q.* into known;
    return to_jsonb(known);
  end if;
  select c.user_id into member from private.payment_records r
  join public.stripe_customers c on c.customer_id = r.customer_id where r.charge_id = payment limit 1;
  if member = admin then
    perform private.fail('FF252', 'Another administrator has to refund your own payment.');
  end if;
  if admin_begin_refund.amount_pence is null or admin_begin_refund.amount_pence < 1
    or admin_begin_refund.amount_pence > coalesce(paid.amount, 0) - paid.amount_refunded then
    perform private.fail('FF253', 'The amount is not between nothing and what is left of the payment.',
      (paid.amount - paid.amount_refunded)::text);
  end if;
  if paid.dispute in ('open', 'lost') then
    perform private.fail('FF254', 'A disputed payment is decided by the bank and cannot be refunded.');
  end if;
  insert into private.refund_requests as q (id, charge_id, amount_pence, reason)
  values (request, payment, admin_begin_refund.amount_pence, why) returning q.* into known;
  perform private.audit(admin, 'payment.refund_started', member, jsonb_build_object(
    'request', request, 'payment', payment, 'before', jsonb_build_object('refunded_pence', paid.amount_refunded),
    'after', jsonb_build_object('refunded_pence', paid.amount_refunded + admin_begin_refund.amount_pence), 'reason', why
  ));
  return to_jsonb(known);
end
$function$;
comment on function private.admin_begin_refund(uuid,text,bigint,text) is 'Checks and records a refund before the card provider is asked, for an administrator with a fresh code (FF006, FF007). A repeated request returns the same row; another one waits for its end. Audited.';
grant execute on function private.admin_begin_refund(uuid,text,bigint,text) to authenticated;

CREATE OR REPLACE FUNCTION public.admin_begin_refund(request uuid, payment text, amount_pence bigint, reason text)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.admin_begin_refund(request, payment, amount_pence, reason) $function$;
comment on function public.admin_begin_refund(uuid,text,bigint,text) is 'Administrators: record a refund to be made. Function admin-refund-payment calls this and then the card provider.';
grant execute on function public.admin_begin_refund(uuid,text,bigint,text) to authenticated;

CREATE OR REPLACE FUNCTION private.billing_end_refund(request uuid, admin uuid, outcome text, refund text, detail text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  ended private.refund_requests;
  member uuid;
begin
  update private.refund_requests q set state = outcome, refund_id = coalesce(refund, q.refund_id)
  where q.id = request and q.state is distinct from outcome
    and q.state <> 'failed' and (q.state <> 'made' or outcome = 'failed')
  returning q.* into ended;
  if not found then
    return;
  end if;
  select c.user_id into member from private.payment_records r
  join public.stripe_customers c on c.customer_id = r.customer_id where r.charge_id = ended.charge_id limit 1;
  perform private.audit(admin, 'payment.refund_' || outcome, member, jsonb_build_object(
    'request', request, 'payment', ended.charge_id, 'refund', refund, 'amount_pence', ended.amount_pence,
    'reason', ended.reason, 'detail', detail
  ));
end
$function$;
comment on function private.billing_end_refund(uuid,uuid,text,text,text) is 'Writes how a refund ended at the card provider: made, refused, unclear or failed; the server as actor when admin is null. Audited.';
grant execute on function private.billing_end_refund(uuid,uuid,text,text,text) to service_role;

CREATE OR REPLACE FUNCTION public.billing_end_refund(request uuid, admin uuid, outcome text, refund text, detail text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_end_refund(request, admin, outcome, refund, detail) $function$;
comment on function public.billing_end_refund(uuid,uuid,text,text,text) is 'Server: how a refund ended.';
grant execute on function public.billing_end_refund(uuid,uuid,text,text,text) to service_role;

CREATE OR REPLACE FUNCTION private.export_part_refund_requests(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('refund_requests', coalesce((
    select jsonb_agg(to_jsonb(q) order by q.requested_at) from private.refund_requests q where exists (
      select from private.payment_records r join public.stripe_customers c on c.customer_id = r.customer_id
      where r.charge_id = q.charge_id and c.user_id = member
    )), '[]'))
$function$;
comment on function private.export_part_refund_requests(uuid) is 'Refunds asked for of payments of one account.';

CREATE OR REPLACE FUNCTION public.admin_require_verified()
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.require_verified_admin() $function$;
comment on function public.admin_require_verified() is 'Administrators: the caller; raises FF001, FF002 or FF005 for others.';
grant execute on function public.admin_require_verified() to authenticated;

CREATE OR REPLACE FUNCTION private.admin_audit_money(admin uuid, action text, subject uuid, detail jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if action is null or action not in (
    'coupon.create_started', 'coupon.created', 'coupon.create_failed',
    'coupon.deactivate_started', 'coupon.deactivated', 'coupon.deactivate_failed', 'billing.event_retried'
  ) then
    raise exception 'no act on money is called %', action;
  end if;
  perform private.audit(admin, action, subject, detail);
end
$function$;
comment on function private.admin_audit_money(uuid,text,uuid,jsonb) is 'Audits what an edge function did for an administrator.';
grant execute on function private.admin_audit_money(uuid,text,uuid,jsonb) to service_role;

CREATE OR REPLACE FUNCTION public.admin_audit_money(admin uuid, action text, subject uuid, detail jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.admin_audit_money(admin, action, subject, detail) $function$;
comment on function public.admin_audit_money(uuid,text,uuid,jsonb) is 'Server: audit an act on money.';
grant execute on function public.admin_audit_money(uuid,text,uuid,jsonb) to service_role;

create view private.failed_billing_events with (security_invoker=true) as
 SELECT event_id,
    event_type,
    attempts,
    first_failed_at,
    last_failed_at,
    last_error
   FROM private.billing_failures f
  WHERE (NOT (EXISTS ( SELECT
           FROM private.billing_events e
          WHERE (e.event_id = f.event_id))));
comment on view private.failed_billing_events is 'Failed events that were not applied since.';

CREATE OR REPLACE FUNCTION private.billing_clear_failure(event text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.billing_failures f where f.event_id = event
$function$;
comment on function private.billing_clear_failure(text) is 'An event that failed was processed.';
grant execute on function private.billing_clear_failure(text) to service_role;

CREATE OR REPLACE FUNCTION public.billing_clear_failure(event text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_clear_failure(event) $function$;
comment on function public.billing_clear_failure(text) is 'Server: an event that failed was processed.';
grant execute on function public.billing_clear_failure(text) to service_role;

CREATE OR REPLACE FUNCTION private.admin_failed_events()
 RETURNS SETOF private.failed_billing_events
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return query select f.* from private.failed_billing_events f order by f.first_failed_at, f.event_id limit 500;
end
$function$;
comment on function private.admin_failed_events() is 'Events that could not be applied, oldest first.';
grant execute on function private.admin_failed_events() to authenticated;

CREATE OR REPLACE FUNCTION public.admin_failed_events()
 RETURNS TABLE(event_id text, event_type text, attempts integer, first_failed_at timestamp with time zone, last_failed_at timestamp with time zone, last_error text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.admin_failed_events() $function$;
comment on function public.admin_failed_events() is 'Administrators: the oldest 500 events of the card provider that could not be applied.';
grant execute on function public.admin_failed_events() to authenticated;

-- admin payments

create view private.payments with (security_invoker=true) as
 SELECT r.charge_id AS payment_id,
    r.happened_at AS paid_at,
    r.amount AS amount_pence,
    COALESCE(c.amount_refunded, (0)::bigint) AS refunded_pence,
    r.currency,
        CASE
            WHEN (c.dispute = 'open'::text) THEN 'disputed'::text
            WHEN (c.dispute = 'lost'::text) THEN 'dispute_lost'::text
            WHEN c.is_refunded THEN 'refunded'::text
            WHEN (c.amount_refunded > 0) THEN 'partly_refunded'::text
            ELSE 'paid'::text
        END AS state,
    r.customer_id,
    r.subscription_id,
    c.invoice_id,
    i.number AS invoice_number,
    i.reason AS invoice_reason,
    c.card_brand,
    c.card_last4,
    k.user_id,
    (u.email)::text AS email,
    p.first_name,
    p.last_name
   FROM (((((private.payment_records r
     LEFT JOIN private.billing_charges c ON ((c.charge_id = r.charge_id)))
     LEFT JOIN public.invoices i ON ((i.invoice_id = c.invoice_id)))
     LEFT JOIN public.stripe_customers k ON ((k.customer_id = r.customer_id)))
     LEFT JOIN auth.users u ON ((u.id = k.user_id)))
     LEFT JOIN public.profiles p ON ((p.id = k.user_id)))
  WHERE ((r.kind = 'payment'::text) AND (r.status = 'succeeded'::text));
comment on view private.payments is 'Payments that succeeded, with their refunds, invoice and member; the member is null once the account is deleted.';

create view private.refunds_and_disputes with (security_invoker=true) as
 SELECT DISTINCT ON (provider_id) provider_id,
    kind,
    status,
    charge_id,
    customer_id,
    subscription_id,
    amount,
    currency,
    reason,
    happened_at,
    respond_by AS due_at
   FROM private.payment_records r
  WHERE (kind = ANY (ARRAY['refund'::text, 'dispute'::text]))
  ORDER BY provider_id, id DESC;
comment on view private.refunds_and_disputes is 'Each refund and dispute in its latest known state.';

CREATE OR REPLACE FUNCTION private.admin_payments(search text, state text, since timestamp with time zone, until timestamp with time zone, before_time timestamp with time zone, before_id text, page_size integer)
 RETURNS SETOF private.payments
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  needle text := nullif(btrim(left(search, 200)), '');
  pattern text := '%' || regexp_replace(needle, '([\\%_])', '\\\1', 'g') || '%';
  key_pattern text := '%' || regexp_replace(private.search_key(needle), '([\\%_])', '\\\1', 'g') || '%';
  found_ids text[];
  rules text[] := array['true'];
begin
  perform private.require_verified_admin();
  if needle is not null then
    -- Fewer than three characters cannot be looked up in the index of invoice numbers, and would match most of them.
    found_ids := array(
      (select needle)
      union all
      (select r.charge_id from private.member_directory d
       join public.stripe_customers k on k.user_id = d.user_id
       join private.payment_records r on r.customer_id = k.customer_id and r.kind = 'payment'
       where d.search_key like key_pattern limit 1000)
      union all
      (select c.charge_id from public.invoices i join private.billing_charges c on c.invoice_id = i.invoice_id
       where char_length(needle) >= 3 and i.number ilike pattern limit 1000)
    );
    rules := rules || case when cardinality(found_ids) <= 1000 then 'y.payment_id = any ($1)'
      -- So many that the latest of them are found soonest by going through the payments.
      -- So many that the latest of them are soonest found by reading the payments in their order.
      else '(y.customer_id in (select k.customer_id from private.member_directory d
          join public.stripe_customers k on k.user_id = d.user_id where d.search_key like $2)
        or y.payment_id in (select c.charge_id from public.invoices i
          join private.billing_charges c on c.invoice_id = i.invoice_id where char_length($9) >= 3 and i.number ilike $3))' end;
  end if;
  if admin_payments.state is not null then
    rules := rules || 'y.state = $4'::text;
  end if;
  if admin_payments.state <> 'paid' then
    rules := rules || 'y.payment_id in (select c.charge_id from private.billing_charges c
      where c.dispute is not null or c.is_refunded or c.amount_refunded > 0)'::text;
  end if;
  if since is not null then
    rules := rules || 'y.paid_at >= $5'::text;
  end if;
  if until is not null then
    rules := rules || 'y.paid_at < $6'::text;
  end if;
  if before_time is not null then
    rules := rules || '(y.paid_at, y.payment_id) < ($7, $8)'::text;
  end if;
  return query execute format(
    'select y.* from private.payments y where %s order by y.paid_at desc, y.payment_id desc limit %s',
    array_to_string(rules, ' and '), least(greatest(coalesce(page_size, 50), 1), 200)
  ) using found_ids, key_pattern, pattern, admin_payments.state, since, until, before_time, before_id, needle;
end
$function$;
comment on function private.admin_payments(text,text,timestamp with time zone,timestamp with time zone,timestamp with time zone,text,integer) is 'One page of payments, newest first, by payment id, part of a name or address, three characters or more of an invoice number, state and time.';
grant execute on function private.admin_payments(text,text,timestamp with time zone,timestamp with time zone,timestamp with time zone,text,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.admin_payments(search text DEFAULT NULL::text, state text DEFAULT NULL::text, since timestamp with time zone DEFAULT NULL::timestamp with time zone, until timestamp with time zone DEFAULT NULL::timestamp with time zone, before_time timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id text DEFAULT NULL::text, page_size integer DEFAULT 50)
 RETURNS TABLE(payment_id text, paid_at timestamp with time zone, amount_pence bigint, refunded_pence bigint, currency text, state text, invoice_number text, invoice_reason text, card_brand text, card_last4 text, user_id uuid, email text, first_name text, last_name text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select y.payment_id, y.paid_at, y.amount_pence, y.refunded_pence, y.currency, y.state, y.invoice_number, y.invoice_reason,
    y.card_brand, y.card_last4, y.user_id, y.email, y.first_name, y.last_name
  from private.admin_payments(search, state, since, until, before_time, before_id, page_size) y
$function$;
comment on function public.admin_payments(text,text,timestamp with time zone,timestamp with time zone,timestamp with time zone,text,integer) is 'Administrators: one page of payments, newest first; amounts in the smallest unit of the currency.';
grant execute on function public.admin_payments(text,text,timestamp with time zone,timestamp with time zone,timestamp with time zone,text,integer) to authenticated;

CREATE OR REPLACE FUNCTION private.admin_export_payments(since timestamp with time zone, until timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
  found_count integer;
  found_rows jsonb;
begin
  if since is null or until is null or until <= since then
    perform private.fail('FF247', 'Choose the first and the last day of the period.');
  end if;
  select count(*) into found_count from private.payments y where y.paid_at >= since and y.paid_at < until;
  if found_count > 20000 then
    perform private.fail('FF248', 'These are more than 20,000 payments. Choose a shorter period.');
  end if;
  select coalesce(jsonb_agg(to_jsonb(y) order by y.paid_at, y.payment_id), '[]') into found_rows
  from private.payments y where y.paid_at >= since and y.paid_at < until;
  perform private.audit(admin, 'payments.exported', null,
    jsonb_build_object('since', since, 'until', until, 'count', found_count));
  return found_rows;
end
$function$;
comment on function private.admin_export_payments(timestamp with time zone,timestamp with time zone) is 'All payments of a period, oldest first. Audited.';
grant execute on function private.admin_export_payments(timestamp with time zone,timestamp with time zone) to authenticated;

CREATE OR REPLACE FUNCTION public.admin_export_payments(since timestamp with time zone, until timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.admin_export_payments(since, until) $function$;
comment on function public.admin_export_payments(timestamp with time zone,timestamp with time zone) is 'Administrators: all payments from since to before until, oldest first, at most 20,000.';
grant execute on function public.admin_export_payments(timestamp with time zone,timestamp with time zone) to authenticated;

CREATE OR REPLACE FUNCTION private.admin_refunds_and_disputes(wanted text)
 RETURNS TABLE(provider_id text, status text, amount_pence bigint, currency text, reason text, happened_at timestamp with time zone, due_at timestamp with time zone, payment_id text, invoice_number text, user_id uuid, email text, first_name text, last_name text, hold text, has_access boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return query
    select x.provider_id, x.status, x.amount, x.currency, coalesce(q.reason, x.reason), x.happened_at, x.due_at,
      x.charge_id, y.invoice_number, y.user_id, y.email, y.first_name, y.last_name, s.hold,
      case when y.user_id is not null then private.has_live_membership(y.user_id) end
    from private.refunds_and_disputes x
    left join private.payments y on y.payment_id = x.charge_id
    left join public.stripe_subscriptions s on s.subscription_id = x.subscription_id
    left join private.refund_requests q on q.refund_id = x.provider_id
    where x.kind = wanted
    order by x.status in ('needs_response', 'warning_needs_response') desc, x.happened_at desc, x.provider_id desc limit 500;
end
$function$;
comment on function private.admin_refunds_and_disputes(text) is 'The latest 500 of one kind, refund or dispute; disputes that wait for evidence first.';
grant execute on function private.admin_refunds_and_disputes(text) to authenticated;

CREATE OR REPLACE FUNCTION public.admin_refunds()
 RETURNS TABLE(refund_id text, status text, amount_pence bigint, currency text, reason text, happened_at timestamp with time zone, payment_id text, invoice_number text, user_id uuid, email text, first_name text, last_name text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select x.provider_id, x.status, x.amount_pence, x.currency, x.reason, x.happened_at, x.payment_id, x.invoice_number,
    x.user_id, x.email, x.first_name, x.last_name
  from private.admin_refunds_and_disputes('refund') x
$function$;
comment on function public.admin_refunds() is 'Administrators: the latest 500 refunds.';
grant execute on function public.admin_refunds() to authenticated;

CREATE OR REPLACE FUNCTION public.admin_disputes()
 RETURNS TABLE(dispute_id text, status text, amount_pence bigint, currency text, reason text, happened_at timestamp with time zone, due_at timestamp with time zone, payment_id text, invoice_number text, user_id uuid, email text, first_name text, last_name text, hold text, has_access boolean)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.admin_refunds_and_disputes('dispute') $function$;
comment on function public.admin_disputes() is 'Administrators: the latest 500 disputes, those that wait for evidence first; due_at is the last moment for it.';
grant execute on function public.admin_disputes() to authenticated;

CREATE OR REPLACE FUNCTION private.admin_money_figures()
 RETURNS TABLE(revenue_pence bigint, refunded_pence bigint, open_disputes integer, failed_events integer, complimentary integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  month timestamptz := date_trunc('month', now());
begin
  perform private.require_verified_admin();
  return query select
    coalesce((
      select sum(y.amount_pence) from private.payments y where y.paid_at >= month and y.currency = 'gbp'
    ), 0)::bigint,
    coalesce((
      select sum(x.amount) from private.refunds_and_disputes x
      where x.kind = 'refund' and x.status in ('succeeded', 'pending') and x.happened_at >= month and x.currency = 'gbp'
    ), 0)::bigint,
    (select count(*)::integer from private.open_disputes()),
    (select count(*)::integer from private.failed_billing_events),
    (select count(*)::integer from private.current_complimentary_memberships);
end
$function$;
comment on function private.admin_money_figures() is 'Money of this calendar month (UTC) in pounds, and what waits for attention; disputes as in the queue.';
grant execute on function private.admin_money_figures() to authenticated;

CREATE OR REPLACE FUNCTION public.admin_money_figures()
 RETURNS TABLE(revenue_pence bigint, refunded_pence bigint, open_disputes integer, failed_events integer, complimentary integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.admin_money_figures() $function$;
comment on function public.admin_money_figures() is 'Administrators: taken and refunded this calendar month in pence, open disputes, failed events, complimentary memberships.';
grant execute on function public.admin_money_figures() to authenticated;

-- trial codes

create table private.trial_codes (
  code text not null,
  days integer not null,
  plan_id text,
  max_redemptions integer,
  expires_at timestamp with time zone,
  is_active boolean default true not null,
  created_at timestamp with time zone default now() not null,
  departed_redemptions integer default 0 not null,
  constraint trial_codes_pkey PRIMARY KEY (code),
  constraint trial_codes_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plans(id) ON UPDATE CASCADE,
  constraint trial_codes_code_check CHECK ((code ~ '^[A-Z0-9-]{3,40}$'::text)),
  constraint trial_codes_days_check CHECK (((days >= 1) AND (days <= 365))),
  constraint trial_codes_max_redemptions_check CHECK ((max_redemptions > 0))
);
comment on table private.trial_codes is 'Codes for free days at the beginning of a membership.';
comment on column private.trial_codes.code is 'In capitals; members may enter it in any case.';
comment on column private.trial_codes.plan_id is 'The only plan it can be used for; null for every plan.';
comment on column private.trial_codes.max_redemptions is 'Accounts that may use it; null without a limit.';
comment on column private.trial_codes.departed_redemptions is 'Redemptions of accounts that were deleted; they count for the limit.';
CREATE INDEX trial_codes_plan_id_idx ON private.trial_codes USING btree (plan_id);
alter table private.trial_codes enable row level security;

create table private.trial_redemptions (
  user_id uuid not null,
  code text not null,
  redeemed_at timestamp with time zone default now() not null,
  constraint trial_redemptions_pkey PRIMARY KEY (user_id),
  constraint trial_redemptions_code_fkey FOREIGN KEY (code) REFERENCES private.trial_codes(code),
  constraint trial_redemptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table private.trial_redemptions is 'The trial code that an account has used. A purchase that failed may be repeated with the same code.';
CREATE INDEX trial_redemptions_code_idx ON private.trial_redemptions USING btree (code);
alter table private.trial_redemptions enable row level security;
CREATE TRIGGER trial_redemptions__count_departed AFTER DELETE ON private.trial_redemptions FOR EACH ROW EXECUTE FUNCTION private.tg_trial_redemptions__count_departed();

CREATE OR REPLACE FUNCTION private.billing_trial_code(member uuid, given text, price text, redeem boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found_code private.trial_codes;
  used private.trial_redemptions;
  is_repeat boolean;
  problem text;
begin
  if redeem then
    -- One purchase of an account at a time, so that it cannot take two codes at once.
    perform from auth.users u where u.id = member for no key update;
    select t.* into found_code from private.trial_codes t where t.code = upper(given) for update;
  else
    select t.* into found_code from private.trial_codes t where t.code = upper(given);
  end if;
  if found_code.code is null then
    return null;
  end if;
  select r.* into used from private.trial_redemptions r where r.user_id = member;
  -- Within the hour the same purchase may be repeated, because its answer may have been lost.
  is_repeat := used.code = found_code.code and used.redeemed_at > now() - interval '1 hour';
  problem := case
    when not found_code.is_active or found_code.expires_at <= now() then 'code_expired'
    when found_code.plan_id is not null and not exists (
      select from private.plan_prices o where o.price_id = price and o.plan_id = found_code.plan_id
    ) then 'code_wrong_plan'
    when is_repeat then null
    when private.has_begun_membership(member) or used.code <> found_code.code and used.redeemed_at > now() - interval '1 hour'
      then 'code_new_members_only'
    when found_code.max_redemptions <= private.trial_redemption_count(found_code) then 'code_used_up'
  end;
  if problem is null and redeem and is_repeat is not true then
    insert into private.trial_redemptions as r (user_id, code) values (member, found_code.code)
    on conflict (user_id) do update set code = excluded.code, redeemed_at = excluded.redeemed_at;
  end if;
  return jsonb_build_object('code', found_code.code, 'days', found_code.days, 'problem', problem);
end
$function$;
comment on function private.billing_trial_code(uuid,text,text,boolean) is 'A trial code by what a member entered, and why it cannot be used; null for an unknown code. Takes it when asked to.';
grant execute on function private.billing_trial_code(uuid,text,text,boolean) to service_role;

CREATE OR REPLACE FUNCTION public.billing_trial_code(member uuid, given text, price text, redeem boolean)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_trial_code(member, given, price, redeem) $function$;
comment on function public.billing_trial_code(uuid,text,text,boolean) is 'Server: look up or take a trial code.';
grant execute on function public.billing_trial_code(uuid,text,text,boolean) to service_role;

CREATE OR REPLACE FUNCTION private.admin_deactivate_trial_code(code text, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_reason(reason);
begin
  update private.trial_codes t set is_active = false where t.code = admin_deactivate_trial_code.code and t.is_active;
  if not found then
    perform private.fail('FF262', 'This code is off already.');
  end if;
  perform private.audit(admin, 'trial_code.deactivated', null, jsonb_build_object(
    'before', jsonb_build_object('code', admin_deactivate_trial_code.code, 'is_active', true),
    'after', jsonb_build_object('code', admin_deactivate_trial_code.code, 'is_active', false), 'reason', why
  ));
end
$function$;
comment on function private.admin_deactivate_trial_code(text,text) is 'Turns a trial code off. Audited.';
grant execute on function private.admin_deactivate_trial_code(text,text) to authenticated;

CREATE OR REPLACE FUNCTION public.admin_deactivate_trial_code(code text, reason text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.admin_deactivate_trial_code(code, reason) $function$;
comment on function public.admin_deactivate_trial_code(text,text) is 'Administrators: turn a trial code off. Running trials go on.';
grant execute on function public.admin_deactivate_trial_code(text,text) to authenticated;

CREATE OR REPLACE FUNCTION private.admin_trial_codes()
 RETURNS TABLE(code text, days integer, plan_id text, max_redemptions integer, redemptions integer, expires_at timestamp with time zone, is_active boolean, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return query
    select t.code, t.days, t.plan_id, t.max_redemptions, private.trial_redemption_count(t), t.expires_at,
      t.is_active and (t.expires_at is null or t.expires_at > now()), t.created_at
    from private.trial_codes t order by t.created_at desc, t.code limit 500;
end
$function$;
comment on function private.admin_trial_codes() is 'Trial codes with how often they were used, newest first.';
grant execute on function private.admin_trial_codes() to authenticated;

CREATE OR REPLACE FUNCTION public.admin_trial_codes()
 RETURNS TABLE(code text, days integer, plan_id text, max_redemptions integer, redemptions integer, expires_at timestamp with time zone, is_active boolean, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.admin_trial_codes() $function$;
comment on function public.admin_trial_codes() is 'Administrators: the latest 500 trial codes.';
grant execute on function public.admin_trial_codes() to authenticated;

CREATE OR REPLACE FUNCTION private.export_part_trial(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('trial_redemption', (select to_jsonb(r) from private.trial_redemptions r where r.user_id = member))
$function$;
comment on function private.export_part_trial(uuid) is 'The trial code one account has used.';

-- membership periods

create table private.membership_periods (
  id bigint generated always as identity not null,
  user_id uuid not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint membership_periods_pkey PRIMARY KEY (id),
  constraint membership_periods_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint membership_periods_order_check CHECK ((ended_at >= started_at))
);
comment on table private.membership_periods is 'Each time in which an account had a live subscription without a gap.';
comment on column private.membership_periods.started_at is 'When the database learned of it.';
comment on column private.membership_periods.ended_at is 'Null while the membership is live.';
CREATE UNIQUE INDEX membership_periods_one_open ON private.membership_periods USING btree (user_id) WHERE (ended_at IS NULL);
CREATE INDEX membership_periods_user_id_idx ON private.membership_periods USING btree (user_id, started_at);
alter table private.membership_periods enable row level security;

CREATE OR REPLACE FUNCTION private.update_membership_period(member uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from public.stripe_customers c
    join public.stripe_subscriptions s on s.customer_id = c.customer_id
    join private.plan_prices o on o.price_id = s.price_id
    where c.user_id = member and c.deleted_at is null and s.deleted_at is null and s.status in ('active', 'trialing')
  ) then
    insert into private.membership_periods (user_id, started_at) values (member, now())
    on conflict (user_id) where ended_at is null do nothing;
  else
    update private.membership_periods p set ended_at = greatest(p.started_at, now())
    where p.user_id = member and p.ended_at is null;
  end if;
end
$function$;
comment on function private.update_membership_period(uuid) is 'Opens or ends the period of an account, by whether its subscription is live now.';

CREATE OR REPLACE FUNCTION private.tg_stripe_subscriptions__period()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.update_membership_period(c.user_id)
  from public.stripe_customers c where c.customer_id in (old.customer_id, new.customer_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_stripe_customers__period()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.update_membership_period(new.user_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.export_part_periods(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('membership_periods', coalesce((
    select jsonb_agg(to_jsonb(p) order by p.id) from private.membership_periods p where p.user_id = member
  ), '[]'))
$function$;
comment on function private.export_part_periods(uuid) is 'When the memberships of one account began and ended.';

-- admin queues

CREATE OR REPLACE FUNCTION private.open_disputes()
 RETURNS TABLE(dispute_id text, user_id uuid, email text, first_name text, last_name text, amount bigint, currency text, reason text, status text, opened_at timestamp with time zone, respond_by timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select d.provider_id, c.user_id, u.email::text, p.first_name, p.last_name, d.amount, d.currency,
    d.reason, d.status, d.happened_at, d.respond_by
  from (
    select distinct on (r.provider_id) r.* from private.payment_records r
    where r.kind = 'dispute' order by r.provider_id, r.id desc
  ) d
  left join public.stripe_customers c on c.customer_id = d.customer_id
  left join auth.users u on u.id = c.user_id
  left join public.profiles p on p.id = c.user_id
  where d.status like '%needs_response' or d.status like '%under_review'
$function$;
comment on function private.open_disputes() is 'Disputes the bank has not decided, inquiries included. No account once it was deleted.';

CREATE OR REPLACE FUNCTION private.dispute_queue()
 RETURNS TABLE(dispute_id text, user_id uuid, email text, first_name text, last_name text, amount bigint, currency text, reason text, status text, opened_at timestamp with time zone, respond_by timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return query select d.* from private.open_disputes() d order by d.respond_by nulls last, d.opened_at, d.dispute_id;
end
$function$;
comment on function private.dispute_queue() is 'Open disputes, those due first on top.';
grant execute on function private.dispute_queue() to authenticated;

CREATE OR REPLACE FUNCTION public.dispute_queue()
 RETURNS TABLE(dispute_id text, user_id uuid, email text, first_name text, last_name text, amount bigint, currency text, reason text, status text, opened_at timestamp with time zone, respond_by timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.dispute_queue() $function$;
comment on function public.dispute_queue() is 'Administrators: open disputes with their due dates; amounts in the smallest unit.';
grant execute on function public.dispute_queue() to authenticated;

CREATE OR REPLACE FUNCTION private.queue_counts()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_agg(jsonb_build_object('queue', q.name, 'waiting', q.waiting, 'oldest_at', q.oldest_at) order by q.place)
  from (
    select 1 as place, 'identity' as name, count(*) as waiting, min(v.submitted_at) as oldest_at
    from public.user_verifications v where v.status = 'pending'
    union all
    select 2, 'messages', count(distinct r.message_id), min(r.created_at)
    from private.message_reports r where r.resolved_at is null
    union all
    select 3, 'accounts', count(*), min(f.created_at) from private.account_flags f where f.closed_at is null
    union all
    select 4, 'disputes', count(*), min(d.opened_at) from private.open_disputes() d
  ) q
$function$;
comment on function private.queue_counts() is 'Each queue of the administrators: how many wait, and since when the oldest.';

CREATE OR REPLACE FUNCTION private.admin_queues()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return private.queue_counts();
end
$function$;
comment on function private.admin_queues() is 'The counts of the queues, for administrators.';
grant execute on function private.admin_queues() to authenticated;

CREATE OR REPLACE FUNCTION public.admin_queues()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.admin_queues() $function$;
comment on function public.admin_queues() is 'Administrators: how many items wait in each queue, and since when the oldest.';
grant execute on function public.admin_queues() to authenticated;

-- admin overview

CREATE OR REPLACE FUNCTION private.member_figures()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with members as materialized (
    select u.id, u.created_at, coalesce(p.onboarding_complete, false) as onboarded, l.current_level,
      coalesce(s.status, 'none') as status, coalesce(s.cancel_at_period_end, false) as cancels, n.role, n.amount_pence
    from auth.users u
    left join public.profiles p on p.id = u.id
    left join public.user_levels l on l.user_id = u.id
    left join public.stripe_customers c on c.user_id = u.id and c.deleted_at is null
    left join public.stripe_subscriptions s on s.customer_id = c.customer_id and s.deleted_at is null and s.status <> 'not_started'
    left join private.plan_prices o on o.price_id = s.price_id
    left join public.plans n on n.id = o.plan_id
    where u.deleted_at is null and p.role is distinct from 'admin'
  ), live as (
    select * from members m where m.status in ('active', 'trialing') and m.role is not null
  ), periods as (
    select q.user_id, min(q.started_at) as first_started_at,
      max(q.ended_at) filter (where q.ended_at > now() - interval '30 days') as recently_ended_at,
      bool_or(q.ended_at is null) as is_live,
      bool_or(q.started_at <= now() - interval '30 days'
        and (q.ended_at is null or q.ended_at > now() - interval '30 days')) as was_live
    from private.membership_periods q join members m on m.id = q.user_id group by q.user_id
  ), joined as (
    select m.created_at > now() - interval '30 days' as is_recent, q.user_id is not null as has_joined,
      q.user_id is not null and m.onboarded as has_onboarded
    from members m left join periods q on q.user_id = m.id
  )
  select jsonb_build_object(
    'accounts', (select count(*) from members),
    'by_status', (select coalesce(jsonb_object_agg(t.status, t.n), '{}') from (select m.status, count(*) as n from members m group by m.status) t),
    'by_level', (
      select jsonb_agg((select count(*) from live v where case when v.onboarded then coalesce(v.current_level, 1) else 0 end = g.level) order by g.level)
      from generate_series(0, 4) as g (level)
    ),
    'paying_students', (select count(*) from live v where v.role = 'student' and v.status = 'active'),
    'paying_mentors', (select count(*) from live v where v.role = 'mentor' and v.status = 'active'),
    'on_trial', (select count(*) from live v where v.status = 'trialing'),
    'cancelling', (select count(*) from live v where v.cancels),
    'new_30_days', (select count(*) from periods q where q.first_started_at > now() - interval '30 days'),
    'lost_30_days', (select count(*) from periods q where q.recently_ended_at is not null and not q.is_live),
    -- Those who were members thirty days ago, and how many of them are not any more.
    'churn', (
      select jsonb_build_object('members', count(*), 'lost', count(*) filter (where not q.is_live)) from periods q where q.was_live
    ),
    'funnel', (
      select jsonb_build_object(
        'all', jsonb_build_array(count(*), count(*) filter (where j.has_joined), count(*) filter (where j.has_onboarded)),
        'recent', jsonb_build_array(
          count(*) filter (where j.is_recent), count(*) filter (where j.is_recent and j.has_joined),
          count(*) filter (where j.is_recent and j.has_onboarded)
        )
      ) from joined j
    ),
    'monthly_revenue_pence', (select coalesce(sum(v.amount_pence), 0) from live v where v.status = 'active')
  )
$function$;
comment on function private.member_figures() is 'Figures about all accounts but the administrators; the funnel counts signed up, joined a plan at least once (trials included), and joined and onboarded.';

CREATE OR REPLACE FUNCTION private.failure_figures()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'webhooks', (
      select jsonb_build_object('failed', count(*), 'oldest_at', min(f.first_failed_at)) from private.failed_billing_events f
      where f.last_failed_at > now() - interval '7 days'
    ),
    'emails', (
      select jsonb_build_object(
        'failed', count(*) filter (where o.status = 'failed'), 'retrying', count(*) filter (where o.status = 'pending'),
        'oldest_at', min(o.created_at)
      ) from private.email_outbox o
      where o.status = 'failed' and o.created_at > now() - interval '7 days'
        or o.status = 'pending' and o.attempts > 0 and o.last_error is not null
    ),
    'exports', (
      select jsonb_build_object('failed', count(*), 'oldest_at', min(f.failed_at)) from private.failed_exports f
      where f.failed_at > now() - interval '7 days'
    )
  )
$function$;
comment on function private.failure_figures() is 'Of the last seven days: webhook events that were not applied since, e-mails that were given up or are tried again, accounts whose latest export failed.';

CREATE OR REPLACE FUNCTION private.admin_overview()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  figures jsonb;
begin
  perform private.require_admin();
  figures := private.member_figures();
  if not private.caller_has_second_factor() then
    figures := figures || '{"monthly_revenue_pence": null}';
  end if;
  return figures || jsonb_build_object('queues', private.queue_counts(), 'failures', private.failure_figures());
end
$function$;
comment on function private.admin_overview() is 'Everything the overview of the console shows.';
grant execute on function private.admin_overview() to authenticated;

CREATE OR REPLACE FUNCTION public.admin_overview()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.admin_overview() $function$;
comment on function public.admin_overview() is 'Administrators: figures about the community, its queues and its failures; revenue in pence a month at today''s prices, null without a second factor.';
grant execute on function public.admin_overview() to authenticated;

-- notifications

create table public.notifications (
  id bigint generated always as identity not null,
  user_id uuid not null,
  kind text not null,
  actor_id uuid,
  subject_id uuid,
  group_id uuid,
  detail text,
  created_at timestamp with time zone default clock_timestamp() not null,
  read_at timestamp with time zone,
  constraint notifications_once_key UNIQUE NULLS NOT DISTINCT (user_id, kind, subject_id, actor_id, detail),
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint notifications_actor_check CHECK ((actor_id <> user_id)),
  constraint notifications_kind_check CHECK ((kind = ANY (ARRAY['reply'::text, 'message_like'::text, 'submission_like'::text, 'submission_comment'::text, 'level_up'::text, 'identity_approved'::text, 'identity_rejected'::text, 'payment_failed'::text, 'question'::text, 'answer'::text, 'mention'::text])))
);
comment on table public.notifications is 'What members are told of; written by triggers, read through my_notifications.';
comment on column public.notifications.user_id is 'Who is told.';
comment on column public.notifications.actor_id is 'Whose act it was; null when it was not a member''s.';
comment on column public.notifications.subject_id is 'The reply, the liked message or submission, the comment, or the identity document. It may be deleted, which hides the row.';
comment on column public.notifications.group_id is 'Rows of one kind and group are shown as one: the message or submission acted on.';
comment on column public.notifications.detail is 'The level reached, or the subscription and period of a failed payment.';
CREATE INDEX notifications_actor_id_idx ON public.notifications USING btree (actor_id);
CREATE INDEX notifications_list_idx ON public.notifications USING btree (user_id, created_at DESC, id DESC);
alter table public.notifications enable row level security;
grant delete, insert, select, update on public.notifications to service_role;
grant select (id, user_id, created_at, read_at) on public.notifications to authenticated;
CREATE TRIGGER notifications__drop_blocked BEFORE INSERT ON public.notifications FOR EACH ROW WHEN ((new.actor_id IS NOT NULL)) EXECUTE FUNCTION private.tg_notifications__drop_blocked();
alter publication supabase_realtime add table public.notifications;

create policy select_own on public.notifications for select to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.session_is_live() AS session_is_live)));

CREATE OR REPLACE FUNCTION private.tg_chat_messages__notify()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id, created_at)
  select p.user_id, 'reply', new.user_id, new.id, p.id, new.created_at
  from public.chat_messages p join public.profiles r on r.id = p.user_id
  where p.id = new.parent_message_id and p.user_id <> new.user_id
  for key share of r skip locked
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_message_likes__notify()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id, created_at)
  select m.user_id, 'message_like', c.user_id, m.id, m.id, c.created_at
  from changed c join public.chat_messages m on m.id = c.message_id
  join public.profiles r on r.id = m.user_id
  where m.user_id <> c.user_id
  for key share of r skip locked
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_learning_submission_likes__notify()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id, created_at)
  select s.user_id, 'submission_like', c.user_id, s.id, s.id, c.created_at
  from changed c join public.learning_submissions s on s.id = c.submission_id
  join public.profiles r on r.id = s.user_id
  where s.user_id <> c.user_id
  for key share of r skip locked
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_learning_submission_comments__notify()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id, created_at)
  select s.user_id, 'submission_comment', c.user_id, c.id, s.id, c.created_at
  from changed c join public.learning_submissions s on s.id = c.submission_id
  join public.profiles r on r.id = s.user_id
  where s.user_id <> c.user_id
  for key share of r skip locked
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_user_levels__notify()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.notifications (user_id, kind, detail)
  select r.id, 'level_up', new.current_level::text from public.profiles r where r.id = new.user_id
  for key share skip locked
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_user_verifications__notify()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.notifications (user_id, kind, subject_id)
  select r.id, 'identity_' || new.status, new.id from public.profiles r where r.id = new.user_id
  for key share skip locked
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_stripe_subscriptions__notify()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.notifications (user_id, kind, detail)
  select c.user_id, 'payment_failed', concat_ws(':', new.subscription_id, new.current_period_start)
  from public.stripe_customers c join public.profiles r on r.id = c.user_id
  where c.customer_id = new.customer_id and private.plan_name(new.price_id) is not null
  for key share of r skip locked
  on conflict do nothing;
  return null;
end
$function$;

-- notification reading

CREATE OR REPLACE FUNCTION private.visible_notifications(member uuid)
 RETURNS TABLE(id bigint, kind text, actor_id uuid, group_id uuid, detail text, created_at timestamp with time zone, read_at timestamp with time zone, chat_room_id text, submission_id uuid, excerpt text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  allowed constant integer := private.effective_level(member);
  rooms constant text[] := array(select r.id from public.chat_rooms r where r.is_active and r.min_level_required <= allowed);
  owes constant boolean := exists (
    select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
    where c.user_id = member and s.status in ('past_due', 'unpaid')
  );
begin
  return query
  select n.id, n.kind, n.actor_id, n.group_id, n.detail, n.created_at, n.read_at, m.chat_room_id, s.id,
    coalesce(m.excerpt, s.title, q.excerpt)
  from (
    select * from public.notifications o where o.user_id = member order by o.created_at desc, o.id desc limit 1000
  ) n
  left join lateral (
    select g.chat_room_id, left(g.content, 140) as excerpt from public.chat_messages g
    where n.kind in ('reply', 'message_like', 'mention') and g.id = n.subject_id and g.deleted_at is null
      and g.chat_room_id = any (rooms) offset 0
  ) m on true
  left join lateral (
    select g.id, g.title from public.learning_submissions g
    where n.kind in ('submission_like', 'submission_comment') and g.id = n.group_id and allowed >= 1 offset 0
  ) s on true
  left join lateral (
    select left(case n.kind when 'question' then g.question else g.answer end, 140) as excerpt
    from private.content_questions g
    where n.kind in ('question', 'answer') and g.id = n.subject_id and private.may_read_text(member, g.article_id, g.module_id)
      and (n.kind = 'answer' or private.may_answer(member, g.article_id, g.module_id))
      offset 0
  ) q on true
  where case n.kind
    when 'reply' then m.chat_room_id is not null
    when 'mention' then m.chat_room_id is not null
    when 'message_like' then m.chat_room_id is not null and exists (
      select from public.message_likes l where l.user_id = n.actor_id and l.message_id = n.subject_id)
    when 'submission_like' then s.id is not null and exists (
      select from public.learning_submission_likes l where l.user_id = n.actor_id and l.submission_id = n.group_id)
    when 'submission_comment' then s.id is not null and exists (
      select from public.learning_submission_comments c where c.id = n.subject_id)
    when 'payment_failed' then owes
    when 'question' then q.excerpt is not null
    when 'answer' then q.excerpt is not null
    else true
  end;
end
$function$;
comment on function private.visible_notifications(uuid) is 'The newest notifications of an account whose place it may read now and whose content still stands.';

CREATE OR REPLACE FUNCTION private.my_notifications(before timestamp with time zone, page_size integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.require_caller();
  size constant integer := least(greatest(coalesce(page_size, 20), 1), 50);
begin
  return (
    with visible as (
      select v.* from private.visible_notifications(caller) v
    ), groups as (
      select v.kind, v.group_id, v.detail,
        max(v.id) as id, max(v.created_at) as created_at, bool_or(v.read_at is null) as unread,
        count(distinct v.actor_id) as actors,
        (array_agg(v.actor_id order by v.created_at desc, v.id desc))[1] as actor_id,
        (array_agg(v.chat_room_id order by v.created_at desc, v.id desc))[1] as chat_room_id,
        (array_agg(v.submission_id order by v.created_at desc, v.id desc))[1] as submission_id,
        (array_agg(v.excerpt order by v.created_at desc, v.id desc))[1] as excerpt
      from visible v
      -- What has no group stands alone.
      group by v.kind, v.group_id, v.detail, case when v.group_id is null then v.id end
    ), page as (
      select g.* from groups g where before is null or g.created_at < before order by g.created_at desc, g.id desc limit size
    )
    select jsonb_build_object(
      'unread', (select least(count(*), 99) from groups g where g.unread),
      'items', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', g.id, 'kind', g.kind, 'created_at', g.created_at, 'unread', g.unread, 'detail', case g.kind when 'level_up' then g.detail end,
          'actor', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = g.actor_id),
          'others', greatest(g.actors - 1, 0), 'chat_room_id', g.chat_room_id, 'submission_id', g.submission_id,
          'room', (select r.name from public.chat_rooms r where r.id = g.chat_room_id), 'excerpt', g.excerpt,
          'message_id', case g.kind when 'mention' then g.group_id end,
          'place', case when g.kind in ('question', 'answer') then private.question_place(g.group_id) end
        ) order by g.created_at desc, g.id desc) from page g
      ), '[]')
    )
  );
end
$function$;
comment on function private.my_notifications(timestamp with time zone,integer) is 'Up to 50 groups of the caller''s notifications, newest first, and how many are unread, at most 99.';
grant execute on function private.my_notifications(timestamp with time zone,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.my_notifications(before timestamp with time zone DEFAULT NULL::timestamp with time zone, page_size integer DEFAULT 20)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.my_notifications(before, page_size) $function$;
comment on function public.my_notifications(timestamp with time zone,integer) is 'The caller''s notifications: `items`, newest first, and `unread`. The next page is before the created_at of the last item.';
grant execute on function public.my_notifications(timestamp with time zone,integer) to authenticated;

CREATE OR REPLACE FUNCTION private.mark_notifications_read(up_to timestamp with time zone, notification_id bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.require_caller();
begin
  update public.notifications n set read_at = clock_timestamp()
  where n.user_id = caller and n.read_at is null and n.created_at <= up_to
    and (notification_id is null or exists (
      select from public.notifications o
      where o.id = notification_id and o.user_id = caller
        and (o.id = n.id or (o.kind = n.kind and o.group_id = n.group_id))
    ));
end
$function$;
comment on function private.mark_notifications_read(timestamp with time zone,bigint) is 'Marks the caller''s notifications up to a moment as read: all of them, or those shown with the given one.';
grant execute on function private.mark_notifications_read(timestamp with time zone,bigint) to authenticated;

CREATE OR REPLACE FUNCTION public.mark_notifications_read(up_to timestamp with time zone, notification_id bigint DEFAULT NULL::bigint)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.mark_notifications_read(up_to, notification_id) $function$;
comment on function public.mark_notifications_read(timestamp with time zone,bigint) is 'The caller has read their notifications up to this moment; with an id only those shown as one with it.';
grant execute on function public.mark_notifications_read(timestamp with time zone,bigint) to authenticated;

CREATE OR REPLACE FUNCTION private.purge_notifications()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from public.notifications n
  where n.read_at < now() - interval '90 days' or n.created_at < now() - interval '1 year'
$function$;
comment on function private.purge_notifications() is 'Deletes notifications 90 days after they were read, and all after a year.';
grant execute on function private.purge_notifications() to service_role;

CREATE OR REPLACE FUNCTION public.purge_notifications()
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.purge_notifications() $function$;
comment on function public.purge_notifications() is 'Server: deletes notifications that are too old to keep.';
grant execute on function public.purge_notifications() to service_role;

CREATE OR REPLACE FUNCTION private.export_part_notifications(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('notifications', coalesce((
    select jsonb_agg(
      to_jsonb(n) - 'user_id' - 'actor_id' - case when n.user_id = member then '' else 'read_at' end
        - case when n.user_id = member then '' else 'group_id' end
      order by n.id
    ) from public.notifications n where member in (n.user_id, n.actor_id)
  ), '[]'))
$function$;
comment on function private.export_part_notifications(uuid) is 'What one account was told of, and what others were told of its acts, without the other persons.';

-- unfinished refunds

CREATE OR REPLACE FUNCTION private.admin_unfinished_refunds()
 RETURNS TABLE(request_id uuid, payment_id text, amount_pence bigint, currency text, reason text, state text, requested_at timestamp with time zone, user_id uuid, email text, first_name text, last_name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return query
    select q.id, q.charge_id, q.amount_pence, y.currency, q.reason, q.state, q.requested_at,
      y.user_id, y.email, y.first_name, y.last_name
    from private.refund_requests q left join private.payments y on y.payment_id = q.charge_id
    where q.state in ('started', 'unclear') order by q.requested_at, q.id limit 500;
end
$function$;
comment on function private.admin_unfinished_refunds() is 'Refunds that were asked for and whose end is not known, oldest first.';
grant execute on function private.admin_unfinished_refunds() to authenticated;

CREATE OR REPLACE FUNCTION public.admin_unfinished_refunds()
 RETURNS TABLE(request_id uuid, payment_id text, amount_pence bigint, currency text, reason text, state text, requested_at timestamp with time zone, user_id uuid, email text, first_name text, last_name text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.admin_unfinished_refunds() $function$;
comment on function public.admin_unfinished_refunds() is 'Administrators: refunds whose end is not known, at most 500; repeating the same request finishes one.';
grant execute on function public.admin_unfinished_refunds() to authenticated;

-- refund outcomes

CREATE OR REPLACE FUNCTION private.billing_settle_refund(request uuid, payment text, refund text, outcome text, detail text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from private.refund_requests q
  where q.id = request and q.charge_id = payment
    and (q.state <> 'started' or q.last_tried_at < now() - interval '10 minutes')
  for update;
  if found then
    perform private.billing_end_refund(request, null, outcome, refund, detail);
  end if;
end
$function$;
comment on function private.billing_settle_refund(uuid,text,text,text,text) is 'Writes the end of a refund as the card provider shows it later, unless a function is asking for it now.';
grant execute on function private.billing_settle_refund(uuid,text,text,text,text) to service_role;

CREATE OR REPLACE FUNCTION public.billing_settle_refund(request uuid, payment text, refund text, outcome text, detail text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.billing_settle_refund(request, payment, refund, outcome, detail)
$function$;
comment on function public.billing_settle_refund(uuid,text,text,text,text) is 'Server: how a refund stands at the card provider.';
grant execute on function public.billing_settle_refund(uuid,text,text,text,text) to service_role;

CREATE OR REPLACE FUNCTION private.billing_unsettled_refunds()
 RETURNS TABLE(request_id uuid, payment_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select q.id, q.charge_id from private.refund_requests q
  where q.state in ('started', 'unclear') and q.last_tried_at < now() - interval '10 minutes'
  order by q.last_tried_at, q.id limit 100
$function$;
comment on function private.billing_unsettled_refunds() is 'Refunds whose end is not known and that no function asks for now; a hundred of the oldest.';
grant execute on function private.billing_unsettled_refunds() to service_role;

CREATE OR REPLACE FUNCTION public.billing_unsettled_refunds()
 RETURNS TABLE(request_id uuid, payment_id text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.billing_unsettled_refunds() $function$;
comment on function public.billing_unsettled_refunds() is 'Server: refunds to look up at the card provider.';
grant execute on function public.billing_unsettled_refunds() to service_role;

-- trial cards

create table private.trial_card_keys (
  id boolean default true not null,
  key bytea not null,
  constraint trial_card_keys_pkey PRIMARY KEY (id),
  constraint trial_card_keys_id_check CHECK (id),
  constraint trial_card_keys_key_check CHECK ((octet_length(key) = 32))
);
comment on table private.trial_card_keys is 'The key of trial_cards.card_hash, made with the database. With another key every card could have a trial again.';
comment on column private.trial_card_keys.id is 'Always true, so that there is one key.';
alter table private.trial_card_keys enable row level security;

create table private.trial_cards (
  card_hash bytea not null,
  holder_id uuid,
  taken_at timestamp with time zone default now() not null,
  constraint trial_cards_pkey PRIMARY KEY (card_hash),
  constraint trial_cards_holder_id_fkey FOREIGN KEY (holder_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint trial_cards_card_hash_check CHECK ((octet_length(card_hash) = 32))
);
comment on table private.trial_cards is 'Cards that began a trial, or are about to. A card whose purchase came to nothing is free again after an hour.';
comment on column private.trial_cards.card_hash is 'HMAC-SHA256 of the provider''s fingerprint of the card.';
comment on column private.trial_cards.holder_id is 'Null once the account is deleted; the card stays taken.';
CREATE INDEX trial_cards_holder_id_idx ON private.trial_cards USING btree (holder_id);
alter table private.trial_cards enable row level security;

CREATE OR REPLACE FUNCTION private.billing_take_trial_card(member uuid, fingerprint text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.trial_cards as c (card_hash, holder_id)
  select extensions.hmac(convert_to(fingerprint, 'utf8'), k.key, 'sha256'), member from private.trial_card_keys k
  on conflict (card_hash) do update set holder_id = excluded.holder_id, taken_at = excluded.taken_at
  where c.holder_id = excluded.holder_id or (
    c.holder_id is not null and c.taken_at <= now() - interval '1 hour' and not exists (
      select from public.stripe_subscriptions s join public.stripe_customers o on o.customer_id = s.customer_id
      where o.user_id = c.holder_id and s.status not in ('not_started', 'incomplete', 'incomplete_expired')
    )
  );
  return found;
end
$function$;
comment on function private.billing_take_trial_card(uuid,text) is 'Takes a card for the trial of an account, before the purchase; false when another account has it.';
grant execute on function private.billing_take_trial_card(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION public.billing_take_trial_card(member uuid, fingerprint text)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.billing_take_trial_card(member, fingerprint) $function$;
comment on function public.billing_take_trial_card(uuid,text) is 'Server: take a card for the trial of an account.';
grant execute on function public.billing_take_trial_card(uuid,text) to service_role;

-- stop renewal

CREATE OR REPLACE FUNCTION private.admin_begin_stop_renewal(member uuid, reason text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
  account auth.users := private.require_other_account(admin, member);
  subscription text;
begin
  select s.subscription_id into subscription
  from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
  where c.user_id = account.id and c.deleted_at is null and s.deleted_at is null and s.status in ('active', 'trialing', 'past_due');
  if subscription is null then
    perform private.fail('FF520', 'There is no subscription that renews.');
  end if;
  perform private.audit(admin, 'account.renewal_stopped', member, jsonb_build_object(
    'subscription_id', subscription, 'reason', why,
    'before', jsonb_build_object('renews', true), 'after', jsonb_build_object('renews', false)
  ));
  return subscription;
end
$function$;
comment on function private.admin_begin_stop_renewal(uuid,text) is 'The subscription of a member whose renewal an administrator is about to stop; FF520 without one. Audited.';
grant execute on function private.admin_begin_stop_renewal(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.admin_begin_stop_renewal(member uuid, reason text)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.admin_begin_stop_renewal(member, reason) $function$;
comment on function public.admin_begin_stop_renewal(uuid,text) is 'Administrators: begin to stop the renewal of a member''s subscription; the function admin-stop-renewal asks the card provider.';
grant execute on function public.admin_begin_stop_renewal(uuid,text) to authenticated;

-- trial redemptions

CREATE OR REPLACE FUNCTION private.tg_trial_redemptions__count_departed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.trial_codes t set departed_redemptions = t.departed_redemptions + 1 where t.code = old.code;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.has_begun_membership(member uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
    where c.user_id = member and s.status not in ('not_started', 'incomplete', 'incomplete_expired')
  )
$function$;
comment on function private.has_begun_membership(uuid) is 'True for an account that has or had a subscription beyond its first attempt.';

CREATE OR REPLACE FUNCTION private.trial_redemption_count(trial private.trial_codes)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select trial.departed_redemptions + count(*)::integer from private.trial_redemptions r
  where r.code = trial.code and (r.redeemed_at > now() - interval '1 hour' or private.has_begun_membership(r.user_id))
$function$;
comment on function private.trial_redemption_count(private.trial_codes) is 'How often a trial code was used, purchases under way included.';

-- reachable requirements

CREATE OR REPLACE FUNCTION private.progress_count_uncapped(progress public.user_progress, kind text, category text)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case progress_count_uncapped.kind
    when 'rooms' then (
      select count(*)::integer from private.progress_ledger l
      where l.user_id = progress.user_id and l.kind = 'room_opened'
    )
    else private.progress_count(progress, progress_count_uncapped.kind, category)
  end
$function$;
comment on function private.progress_count_uncapped(public.user_progress,text,text) is 'A member''s count for one kind of requirement as it would be without room_count_limit.';

-- failed exports

create table private.failed_exports (
  user_id uuid not null,
  step text not null,
  failed_at timestamp with time zone default now() not null,
  constraint failed_exports_pkey PRIMARY KEY (user_id),
  constraint failed_exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint failed_exports_step_check CHECK ((step = ANY (ARRAY['rows'::text, 'files'::text])))
);
comment on table private.failed_exports is 'Accounts whose latest data export failed or was incomplete; removed by the next one that is whole.';
comment on column private.failed_exports.step is 'rows: no archive was made; files: some or all stored files could not be read.';
alter table private.failed_exports enable row level security;

CREATE OR REPLACE FUNCTION private.note_my_export(failed_step text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
begin
  if failed_step is not null and failed_step not in ('rows', 'files') then
    perform private.fail('FF302', 'An export has no such step.');
  end if;
  perform private.enforce_rate_limit(caller, 'export_note');
  if failed_step is null then
    delete from private.failed_exports f where f.user_id = caller;
  else
    insert into private.failed_exports as f (user_id, step) values (caller, failed_step)
    on conflict (user_id) do update set step = excluded.step, failed_at = excluded.failed_at;
  end if;
end
$function$;
comment on function private.note_my_export(text) is 'How the caller''s export ended: at which step it failed, or null when it is whole.';
grant execute on function private.note_my_export(text) to authenticated;

CREATE OR REPLACE FUNCTION public.note_my_export(failed_step text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.note_my_export(failed_step) $function$;
comment on function public.note_my_export(text) is 'How the caller''s data export ended: failed_step rows or files, or none when it is whole; raises FF302 for another and FF300 above the limit.';
grant execute on function public.note_my_export(text) to authenticated;

CREATE OR REPLACE FUNCTION private.export_part_failed_exports(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('failed_export', (select to_jsonb(f) from private.failed_exports f where f.user_id = member))
$function$;
comment on function private.export_part_failed_exports(uuid) is 'The failed export of one account.';

-- failed events by id

CREATE OR REPLACE FUNCTION private.admin_failed_event(event text)
 RETURNS SETOF private.failed_billing_events
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return query select f.* from private.failed_billing_events f where f.event_id = event;
end
$function$;
comment on function private.admin_failed_event(text) is 'One event that could not be applied; no row when it was applied since.';
grant execute on function private.admin_failed_event(text) to authenticated;

CREATE OR REPLACE FUNCTION public.admin_failed_event(event text)
 RETURNS TABLE(event_id text, event_type text, attempts integer, first_failed_at timestamp with time zone, last_failed_at timestamp with time zone, last_error text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.admin_failed_event(event) $function$;
comment on function public.admin_failed_event(text) is 'Administrators: an event of the card provider that could not be applied, by its id.';
grant execute on function public.admin_failed_event(text) to authenticated;

CREATE OR REPLACE FUNCTION private.admin_clear_failed_event(event text, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_reason(reason);
  cleared private.billing_failures;
begin
  delete from private.billing_failures f
  where f.event_id = event and exists (select from private.failed_billing_events e where e.event_id = f.event_id)
  returning f.* into cleared;
  if cleared.event_id is null then
    perform private.fail('FF256', 'This event has been processed or cleared already.');
  end if;
  perform private.audit(admin, 'billing.event_cleared', null,
    jsonb_build_object('before', to_jsonb(cleared), 'after', null, 'reason', why));
end
$function$;
comment on function private.admin_clear_failed_event(text,text) is 'Takes a failed event off the list without processing it; FF256 when it is not on it. It comes back when the provider sends it again. Audited.';
grant execute on function private.admin_clear_failed_event(text,text) to authenticated;

CREATE OR REPLACE FUNCTION public.admin_clear_failed_event(event text, reason text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.admin_clear_failed_event(event, reason) $function$;
comment on function public.admin_clear_failed_event(text,text) is 'Administrators: clear an event of the card provider that could not be applied, with a reason.';
grant execute on function public.admin_clear_failed_event(text,text) to authenticated;

-- trial code names

CREATE OR REPLACE FUNCTION private.billing_create_trial_code(admin uuid, code text, days integer, plan text, expires_at timestamp with time zone, max_redemptions integer, reason text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  why text := private.require_reason(reason);
  made private.trial_codes;
begin
  if upper(btrim(code)) !~ '^[A-Z0-9-]{3,40}$' or days is null or days not between 1 and 365 or max_redemptions < 1
    or code is null or billing_create_trial_code.expires_at <= now()
    or billing_create_trial_code.expires_at > now() + interval '100 years'
    or (plan is not null and not exists (select from public.plans p where p.id = plan)) then
    perform private.fail('FF260', 'A code has 3 to 40 letters, digits or hyphens, 1 to 365 days and an end in the future.');
  end if;
  insert into private.trial_codes as t (code, days, plan_id, expires_at, max_redemptions)
  values (upper(btrim(code)), days, plan, billing_create_trial_code.expires_at, billing_create_trial_code.max_redemptions)
  on conflict do nothing returning t.* into made;
  if made.code is null then
    perform private.fail('FF261', 'There is a code of this name already.');
  end if;
  perform private.audit(admin, 'trial_code.created', null,
    jsonb_build_object('before', null, 'after', to_jsonb(made), 'reason', why));
  return made.code;
end
$function$;
comment on function private.billing_create_trial_code(uuid,text,integer,text,timestamp with time zone,integer,text) is 'Makes a trial code for an administrator, once the card provider has no coupon of its name. Audited.';
grant execute on function private.billing_create_trial_code(uuid,text,integer,text,timestamp with time zone,integer,text) to service_role;

CREATE OR REPLACE FUNCTION public.billing_create_trial_code(admin uuid, code text, days integer, plan text, expires_at timestamp with time zone, max_redemptions integer, reason text)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.billing_create_trial_code(admin, code, days, plan, expires_at, max_redemptions, reason)
$function$;
comment on function public.billing_create_trial_code(uuid,text,integer,text,timestamp with time zone,integer,text) is 'Server: make a trial code; plan, expires_at and max_redemptions may be null.';
grant execute on function public.billing_create_trial_code(uuid,text,integer,text,timestamp with time zone,integer,text) to service_role;

-- console dates

CREATE OR REPLACE FUNCTION private.calendar_date(given date)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select case when given is not null then least(greatest(given, date '0001-01-01'), date '9999-12-30') end
$function$;
comment on function private.calendar_date(date) is 'The nearest date from year 1 to 9999; null stays null.';
grant execute on function private.calendar_date(date) to authenticated;

-- profile pictures

CREATE OR REPLACE FUNCTION private.tg_storage_objects__limit_profile_pictures()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  member constant uuid := substring(new.name from '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-')::uuid;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if member is null or auth.uid() <> member or not exists (select from auth.users u where u.id = member) then
    return new;
  end if;
  begin
    perform private.enforce_rate_limit(member, 'profile_picture');
  exception when sqlstate 'FF300' then
    -- The storage service knows only SQL's own codes.
    perform private.fail('42501', 'This account has stored twenty pictures within the hour, which is the most.');
  end;
  return new;
end
$function$;

CREATE TRIGGER storage_objects__limit_profile_pictures BEFORE INSERT ON storage.objects FOR EACH ROW WHEN ((new.bucket_id = 'profile-pictures'::text)) EXECUTE FUNCTION private.tg_storage_objects__limit_profile_pictures();

create policy insert_own_profile_picture on storage.objects for insert to authenticated
  with check (((bucket_id = 'profile-pictures'::text) AND (name ~ (('^'::text || (( SELECT auth.uid() AS uid))::text) || '-[0-9]{1,20}\.(jpg|jpeg|png)$'::text)) AND ( SELECT private.caller_is_member() AS caller_is_member)));

create policy select_own_profile_picture on storage.objects for select to authenticated
  using (((bucket_id = 'profile-pictures'::text) AND (starts_with(name, ((( SELECT auth.uid() AS uid))::text || '-'::text)) OR ( SELECT private.caller_is_verified_admin() AS caller_is_verified_admin))));

create policy delete_own_profile_picture on storage.objects for delete to authenticated
  using (((bucket_id = 'profile-pictures'::text) AND (starts_with(name, ((( SELECT auth.uid() AS uid))::text || '-'::text)) OR ( SELECT private.caller_is_verified_admin() AS caller_is_verified_admin))));

CREATE OR REPLACE FUNCTION private.set_my_picture(name text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  former text;
begin
  select private.image_name(p.avatar_url) into former
  from public.profiles p where p.id = caller for no key update;
  if set_my_picture.name is not distinct from former then
    return null;
  end if;
  if set_my_picture.name is null then
    update public.profiles p set avatar_url = null where p.id = caller;
    return former;
  end if;
  if not private.caller_is_member() then
    perform private.fail('FF341', 'Only members can have a picture.');
  end if;
  if not exists (
    select from storage.objects o
    where o.bucket_id = 'profile-pictures' and o.name = set_my_picture.name
      and o.name ~ ('^' || caller::text || '-[0-9]{1,20}\.(jpg|jpeg|png)$')
      and o.created_at > now() - interval '30 minutes'
  ) then
    perform private.fail('FF340', 'The picture has not been uploaded within the last half hour.');
  end if;
  update public.profiles p set avatar_url =
    coalesce(private.caller_api_origin(), '') || '/storage/v1/object/public/profile-pictures/' || set_my_picture.name
  where p.id = caller;
  return former;
end
$function$;
comment on function private.set_my_picture(text) is 'Shows an uploaded picture of the caller on their profile, null none; returns the name of the former one, to delete.';
grant execute on function private.set_my_picture(text) to authenticated;

CREATE OR REPLACE FUNCTION public.set_my_picture(name text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.set_my_picture(name) $function$;
comment on function public.set_my_picture(text) is 'Sets the caller''s profile picture to an object of theirs, or removes it; returns the name of the former object.';
grant execute on function public.set_my_picture(text) to authenticated;

CREATE OR REPLACE FUNCTION private.admin_remove_picture(member uuid, reason text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
  account auth.users := private.require_other_account(admin, member);
  former text;
begin
  select private.image_name(p.avatar_url) into former
  from public.profiles p where p.id = account.id for no key update;
  if former is null then
    perform private.fail('FF342', 'This account has no picture.');
  end if;
  update public.profiles p set avatar_url = null where p.id = account.id;
  perform private.audit(admin, 'account.picture_removed', member, jsonb_build_object(
    'reason', why, 'before', jsonb_build_object('picture', former), 'after', jsonb_build_object('picture', null)
  ));
  return former;
end
$function$;
comment on function private.admin_remove_picture(uuid,text) is 'Takes the picture off a profile; returns the name of its object, to delete. Audited.';
grant execute on function private.admin_remove_picture(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.admin_remove_picture(member uuid, reason text)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.admin_remove_picture(member, reason) $function$;
comment on function public.admin_remove_picture(uuid,text) is 'Administrators: take a member''s picture off their profile, with a reason; returns the name of its object.';
grant execute on function public.admin_remove_picture(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION private.profile_pictures_due(after text, batch integer)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select o.name from storage.objects o
  where o.bucket_id = 'profile-pictures' and o.name > after and o.created_at < now() - interval '1 hour'
    and not exists (
      select from public.profiles p where p.avatar_url is not null and private.image_name(p.avatar_url) = o.name
    )
  order by o.name
  limit batch
$function$;
comment on function private.profile_pictures_due(text,integer) is 'Pictures older than an hour that no profile shows; by name, after the given one.';
grant execute on function private.profile_pictures_due(text,integer) to service_role;

CREATE OR REPLACE FUNCTION public.profile_pictures_due(after text DEFAULT ''::text, batch integer DEFAULT 100)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.profile_pictures_due(after, batch) $function$;
comment on function public.profile_pictures_due(text,integer) is 'Server: profile pictures to delete now.';
grant execute on function public.profile_pictures_due(text,integer) to service_role;

-- drafts

create table public.drafts (
  id uuid default gen_random_uuid() not null,
  owner_id uuid not null,
  kind text not null,
  status text default 'draft'::text not null,
  title text not null,
  version integer default 1 not null,
  submitted_at timestamp with time zone,
  publish_at timestamp with time zone,
  approved_by uuid,
  published_version integer,
  published_at timestamp with time zone,
  article_id uuid,
  course_id uuid,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint drafts_article_id_key UNIQUE (article_id),
  constraint drafts_course_id_key UNIQUE (course_id),
  constraint drafts_pkey PRIMARY KEY (id),
  constraint drafts_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint drafts_article_id_fkey FOREIGN KEY (article_id) REFERENCES public.articles(id) ON DELETE SET NULL,
  constraint drafts_course_id_fkey FOREIGN KEY (course_id) REFERENCES public.courses(id) ON DELETE SET NULL,
  constraint drafts_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint drafts_kind_check CHECK ((kind = ANY (ARRAY['article'::text, 'course'::text]))),
  constraint drafts_kind_of_work_check CHECK (
CASE kind
    WHEN 'article'::text THEN (course_id IS NULL)
    ELSE (article_id IS NULL)
END),
  constraint drafts_schedule_check CHECK (((status <> 'scheduled'::text) OR (publish_at IS NOT NULL))),
  constraint drafts_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'submitted'::text, 'returned'::text, 'scheduled'::text, 'published'::text, 'withdrawn'::text, 'archived'::text]))),
  constraint drafts_version_check CHECK ((version > 0))
);
comment on table public.drafts is 'Articles and courses that members write, each with its place in the review.';
comment on column public.drafts.status is 'scheduled: approved, and published at publish_at. Later edits of published work begin a new round.';
comment on column public.drafts.title is 'Title of the newest version.';
comment on column public.drafts.version is 'Number of the newest version.';
comment on column public.drafts.publish_at is 'When a scheduled version is published.';
comment on column public.drafts.approved_by is 'Administrator who approved the version; null when a trusted mentor published it.';
comment on column public.drafts.published_version is 'The version members read, also while it is withdrawn.';
comment on column public.drafts.article_id is 'The article of the library this was published as.';
comment on column public.drafts.course_id is 'The course of the library this was published as.';
CREATE INDEX drafts_approved_by_idx ON public.drafts USING btree (approved_by);
CREATE INDEX drafts_owner_id_idx ON public.drafts USING btree (owner_id, updated_at DESC);
CREATE INDEX drafts_queue_idx ON public.drafts USING btree (status, submitted_at);
alter table public.drafts enable row level security;
grant delete, insert, select, update on public.drafts to service_role;
grant select (id, owner_id, kind, status, title, version, submitted_at, publish_at, published_version, published_at, article_id, course_id, created_at, updated_at) on public.drafts to authenticated;

create table public.draft_versions (
  draft_id uuid not null,
  version integer not null,
  saved_by uuid,
  saved_at timestamp with time zone default clock_timestamp() not null,
  title text not null,
  subcategory_id uuid,
  slug text default ''::text not null,
  excerpt text default ''::text not null,
  tags text[] default '{}'::text[] not null,
  content text default ''::text not null,
  difficulty_level text default 'beginner'::text not null,
  price numeric(10,2) default 0 not null,
  modules jsonb default '[]'::jsonb not null,
  constraint draft_versions_pkey PRIMARY KEY (draft_id, version),
  constraint draft_versions_draft_id_fkey FOREIGN KEY (draft_id) REFERENCES public.drafts(id) ON DELETE CASCADE,
  constraint draft_versions_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint draft_versions_subcategory_id_fkey FOREIGN KEY (subcategory_id) REFERENCES public.subcategories(id),
  constraint draft_versions_content_check CHECK ((octet_length(content) <= 204800)),
  constraint draft_versions_difficulty_level_check CHECK ((difficulty_level = ANY (ARRAY['beginner'::text, 'intermediate'::text, 'advanced'::text]))),
  constraint draft_versions_excerpt_check CHECK ((char_length(excerpt) <= 2000)),
  constraint draft_versions_modules_check CHECK (((jsonb_typeof(modules) = 'array'::text) AND (jsonb_array_length(modules) <= 60) AND (octet_length((modules)::text) <= 1000000))),
  constraint draft_versions_price_check CHECK (((price >= (0)::numeric) AND (price < (1000000)::numeric))),
  constraint draft_versions_slug_check CHECK ((char_length(slug) <= 120)),
  constraint draft_versions_tags_check CHECK (((cardinality(tags) <= 10) AND (octet_length(array_to_string(tags, ''::text)) <= 2000))),
  constraint draft_versions_title_check CHECK ((char_length(title) <= 200)),
  constraint draft_versions_version_check CHECK ((version > 0))
);
comment on table public.draft_versions is 'Every saved version of a draft. Versions are added, never changed.';
comment on column public.draft_versions.excerpt is 'Excerpt of an article, description of a course.';
comment on column public.draft_versions.content is 'Markdown of an article; empty for a course.';
comment on column public.draft_versions.price is 'Pounds, for courses.';
comment on column public.draft_versions.modules is 'Modules of a course in order, each with slug, title, content (Markdown), minutes and video_url.';
CREATE INDEX draft_versions_saved_by_idx ON public.draft_versions USING btree (saved_by);
CREATE INDEX draft_versions_subcategory_id_idx ON public.draft_versions USING btree (subcategory_id);
alter table public.draft_versions enable row level security;
grant delete, insert, select, update on public.draft_versions to service_role;
grant select (draft_id, version, saved_by, saved_at, title, subcategory_id, slug, excerpt, tags, content, difficulty_level, price, modules) on public.draft_versions to authenticated;

create table public.draft_comments (
  id uuid default gen_random_uuid() not null,
  draft_id uuid not null,
  version integer not null,
  author_id uuid,
  quote text default ''::text not null,
  comment text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint draft_comments_pkey PRIMARY KEY (id),
  constraint draft_comments_author_id_fkey FOREIGN KEY (author_id) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint draft_comments_draft_id_version_fkey FOREIGN KEY (draft_id, version) REFERENCES public.draft_versions(draft_id, version) ON DELETE CASCADE,
  constraint draft_comments_comment_check CHECK (((char_length(btrim(comment)) >= 1) AND (char_length(btrim(comment)) <= 2000))),
  constraint draft_comments_quote_check CHECK ((char_length(quote) <= 500))
);
comment on table public.draft_comments is 'What reviewers wrote about a version of a draft.';
comment on column public.draft_comments.author_id is 'The administrator; null when the server could not publish a scheduled version.';
comment on column public.draft_comments.quote is 'The words of the version that the comment is about; empty for the whole.';
CREATE INDEX draft_comments_author_id_idx ON public.draft_comments USING btree (author_id);
CREATE INDEX draft_comments_draft_id_idx ON public.draft_comments USING btree (draft_id, version);
alter table public.draft_comments enable row level security;
grant delete, insert, select, update on public.draft_comments to service_role;
grant select (id, draft_id, version, author_id, quote, comment, created_at) on public.draft_comments to authenticated;

create table private.trusted_mentors (
  user_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint trusted_mentors_pkey PRIMARY KEY (user_id),
  constraint trusted_mentors_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table private.trusted_mentors is 'Mentors who publish without a review. Set by administrators.';
alter table private.trusted_mentors enable row level security;

CREATE OR REPLACE FUNCTION private.caller_drafts()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query select d.id from public.drafts d where d.owner_id = auth.uid();
end
$function$;
comment on function private.caller_drafts() is 'Drafts the caller wrote.';
grant execute on function private.caller_drafts() to authenticated;

create policy select_own_or_admin on public.drafts for select to authenticated
  using (((owner_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.caller_is_admin() AS caller_is_admin)));

create policy select_own_or_admin on public.draft_versions for select to authenticated
  using (((draft_id IN ( SELECT private.caller_drafts() AS caller_drafts)) OR ( SELECT private.caller_is_admin() AS caller_is_admin)));

create policy select_own_or_admin on public.draft_comments for select to authenticated
  using (((draft_id IN ( SELECT private.caller_drafts() AS caller_drafts)) OR ( SELECT private.caller_is_admin() AS caller_is_admin)));

CREATE OR REPLACE FUNCTION private.export_part_studio(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'drafts', coalesce((
      select jsonb_agg(to_jsonb(d) - 'approved_by' order by d.created_at, d.id)
      from public.drafts d where d.owner_id = member
    ), '[]'),
    'draft_versions', coalesce((
      select jsonb_agg(to_jsonb(v) - 'saved_by' order by v.draft_id, v.version)
      from public.draft_versions v join public.drafts d on d.id = v.draft_id
      where d.owner_id = member or v.saved_by = member
    ), '[]'),
    'draft_comments', coalesce((
      select jsonb_agg(to_jsonb(c) - 'author_id' order by c.created_at, c.id)
      from public.draft_comments c join public.drafts d on d.id = c.draft_id
      where d.owner_id = member or c.author_id = member
    ), '[]'),
    'trusted_mentor', (select to_jsonb(t) from private.trusted_mentors t where t.user_id = member)
  )
$function$;
comment on function private.export_part_studio(uuid) is 'Drafts of one account with their versions and the comments on them, without the reviewers.';

-- draft saving

CREATE OR REPLACE FUNCTION private.is_mentor(account uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from public.profiles p
    where p.id = account
      and (p.role = 'admin' or p.role = 'mentor' and p.onboarding_complete and private.has_live_membership(p.id))
  )
$function$;
comment on function private.is_mentor(uuid) is 'True for mentors with a live membership, and for administrators.';

CREATE OR REPLACE FUNCTION private.require_mentor()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
begin
  if not private.is_mentor(caller) then
    perform private.fail('FF650', 'Only mentors may do this.');
  end if;
  return caller;
end
$function$;
comment on function private.require_mentor() is 'The calling mentor or administrator; FF001 or FF650 for other callers.';

CREATE OR REPLACE FUNCTION private.lock_draft(draft uuid, expected_version integer, allowed text[])
 RETURNS public.drafts
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found_draft public.drafts;
begin
  select d.* into found_draft from public.drafts d
  where d.id = draft and (d.owner_id = auth.uid() or private.caller_is_admin()) for update;
  if not found then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  if expected_version is distinct from found_draft.version then
    perform private.fail('FF652', 'There is a newer version of this draft.', found_draft.version::text);
  end if;
  if found_draft.status <> all (allowed) then
    perform private.fail('FF653', 'The draft is in another state.', found_draft.status);
  end if;
  return found_draft;
end
$function$;
comment on function private.lock_draft(uuid,integer,text[]) is 'Locks a draft of the caller, or any for administrators; FF651, FF652 for another version, FF653 for another status.';

CREATE OR REPLACE FUNCTION private.draft_modules(modules jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'slug', coalesce(m.module ->> 'slug', ''), 'title', coalesce(m.module ->> 'title', ''),
    'content', coalesce(m.module ->> 'content', ''), 'minutes', (m.module ->> 'minutes')::integer,
    'video_url', nullif(m.module ->> 'video_url', '')
  ) order by m.place), '[]')
  from jsonb_array_elements(case jsonb_typeof(modules) when 'array' then modules else '[]' end)
    with ordinality m (module, place)
$function$;
comment on function private.draft_modules(jsonb) is 'Modules of a draft with exactly the known fields. minutes is null when they are to be computed.';

CREATE OR REPLACE FUNCTION private.draft_from(kind text, fields jsonb)
 RETURNS public.draft_versions
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  read public.draft_versions;
begin
  read.title := btrim(coalesce(fields ->> 'title', ''));
  read.subcategory_id := (fields ->> 'subcategory_id')::uuid;
  read.slug := btrim(coalesce(fields ->> 'slug', ''));
  read.excerpt := btrim(coalesce(fields ->> 'excerpt', ''));
  read.tags := array(
    select t.tag from jsonb_array_elements_text(
      case jsonb_typeof(fields -> 'tags') when 'array' then fields -> 'tags' else '[]' end
    ) with ordinality t (tag, place)
    where kind = 'article' order by t.place
  );
  read.content := case kind when 'article' then coalesce(fields ->> 'content', '') else '' end;
  read.difficulty_level := coalesce(fields ->> 'difficulty_level', 'beginner');
  read.price := case kind when 'course' then coalesce((fields ->> 'price')::numeric, 0) else 0 end;
  read.modules := case kind when 'course' then private.draft_modules(fields -> 'modules') else '[]' end;
  return read;
end
$function$;
comment on function private.draft_from(text,jsonb) is 'The text and metadata of a draft, from the object a client sends.';

CREATE OR REPLACE FUNCTION private.add_draft_version(draft uuid, version integer, written public.draft_versions)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into public.draft_versions (
    draft_id, version, saved_by, title, subcategory_id, slug, excerpt, tags, content, difficulty_level, price, modules
  ) values (
    draft, add_draft_version.version, auth.uid(), (written).title, (written).subcategory_id, (written).slug,
    (written).excerpt, (written).tags, (written).content, (written).difficulty_level, (written).price, (written).modules
  );
  update public.drafts d set version = add_draft_version.version, title = (written).title, updated_at = clock_timestamp()
  where d.id = draft
$function$;
comment on function private.add_draft_version(uuid,integer,public.draft_versions) is 'Adds a version of a draft, saved by the caller.';

CREATE OR REPLACE FUNCTION private.create_draft(kind text, fields jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_mentor();
  written public.draft_versions := private.draft_from(kind, fields);
  created uuid;
begin
  perform private.enforce_rate_limit(caller, 'create_draft');
  insert into public.drafts (owner_id, kind, title) values (caller, create_draft.kind, written.title) returning id into created;
  perform private.add_draft_version(created, 1, written);
  return created;
end
$function$;
comment on function private.create_draft(text,jsonb) is 'Creates a draft with its first version; its id.';
grant execute on function private.create_draft(text,jsonb) to authenticated;

CREATE OR REPLACE FUNCTION private.is_same_version(one public.draft_versions, other public.draft_versions)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select ((one).title, (one).subcategory_id, (one).slug, (one).excerpt, (one).tags, (one).content, (one).difficulty_level,
      (one).price, (one).modules)
    is not distinct from ((other).title, (other).subcategory_id, (other).slug, (other).excerpt, (other).tags,
      (other).content, (other).difficulty_level, (other).price, (other).modules)
$function$;
comment on function private.is_same_version(public.draft_versions,public.draft_versions) is 'True when text and metadata are the same.';

CREATE OR REPLACE FUNCTION private.save_draft(draft uuid, expected_version integer, fields jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_mentor();
  target public.drafts;
  newest public.draft_versions;
  written public.draft_versions;
begin
  perform private.enforce_rate_limit(caller, 'save_draft');
  select d.* into target from public.drafts d where d.id = draft and d.owner_id = caller for update;
  if not found then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  if target.status in ('submitted', 'scheduled', 'archived') then
    perform private.fail('FF653', 'The draft is in another state.', target.status);
  end if;
  written := private.draft_from(target.kind, fields);
  select v.* into newest from public.draft_versions v where v.draft_id = draft and v.version = target.version;
  if private.is_same_version(newest, written)
    and (expected_version = target.version or expected_version = target.version - 1 and newest.saved_by = caller) then
    return target.version;
  end if;
  if expected_version is distinct from target.version then
    perform private.fail('FF652', 'There is a newer version of this draft.', target.version::text);
  end if;
  perform private.add_draft_version(draft, target.version + 1, written);
  return target.version + 1;
end
$function$;
comment on function private.save_draft(uuid,integer,jsonb) is 'Saves a new version of the caller''s draft; its number. FF652 when the newest version is not the expected one.';
grant execute on function private.save_draft(uuid,integer,jsonb) to authenticated;

CREATE OR REPLACE FUNCTION private.restore_draft_version(draft uuid, version integer, expected_version integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  old_version public.draft_versions;
begin
  select v.* into old_version from public.draft_versions v
  where v.draft_id = draft and v.version = restore_draft_version.version and v.draft_id in (select private.caller_drafts());
  if not found then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  return private.save_draft(draft, expected_version, to_jsonb(old_version));
end
$function$;
comment on function private.restore_draft_version(uuid,integer,integer) is 'Saves an earlier version as the newest one; its number.';
grant execute on function private.restore_draft_version(uuid,integer,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.create_draft(kind text, fields jsonb DEFAULT '{}'::jsonb)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.create_draft(kind, fields) $function$;
comment on function public.create_draft(text,jsonb) is 'Mentors: begin an article or a course; its id.';
grant execute on function public.create_draft(text,jsonb) to authenticated;

CREATE OR REPLACE FUNCTION public.save_draft(draft_id uuid, expected_version integer, fields jsonb)
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.save_draft(draft_id, expected_version, fields) $function$;
comment on function public.save_draft(uuid,integer,jsonb) is 'Mentors: save a new version of a draft; its number.';
grant execute on function public.save_draft(uuid,integer,jsonb) to authenticated;

CREATE OR REPLACE FUNCTION public.restore_draft_version(draft_id uuid, version integer, expected_version integer)
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.restore_draft_version(draft_id, version, expected_version)
$function$;
comment on function public.restore_draft_version(uuid,integer,integer) is 'Mentors: make an earlier version the newest one.';
grant execute on function public.restore_draft_version(uuid,integer,integer) to authenticated;

-- draft publishing

CREATE OR REPLACE FUNCTION private.reading_minutes(markdown text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select greatest(1, ceil(count(*) / 200.0))::integer
  from regexp_split_to_table(markdown collate pg_catalog."und-x-icu", '\s+') w (word)
  where w.word ~ '[[:alnum:]]'
$function$;
comment on function private.reading_minutes(text) is 'Minutes to read a text at 200 words a minute, rounded up; as tools/content/markdown.ts computes them.';

CREATE OR REPLACE FUNCTION private.trim_markdown(markdown text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select regexp_replace(markdown, '^\s+|\s+$', '', 'g')
$function$;
comment on function private.trim_markdown(text) is 'A text without white space before and after it.';

CREATE OR REPLACE FUNCTION private.is_slug(slug text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 80
$function$;
comment on function private.is_slug(text) is 'True for what may be part of an address of the library.';

CREATE OR REPLACE FUNCTION private.article_issues(v public.draft_versions)
 RETURNS TABLE(field text, message text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select 'excerpt', 'Write an excerpt of at most 200 characters.' where char_length(v.excerpt) not between 1 and 200
  union all
  select 'tags', 'Choose 2 to 5 different tags.'
  where cardinality(v.tags) not between 2 and 5 or cardinality(v.tags) <> (select count(distinct t) from unnest(v.tags) t)
  union all
  select 'tags', 'Write tags in lower case, with at most 30 characters.'
  where exists (
    select from unnest(v.tags) t
    where t is null or t collate pg_catalog."und-x-icu" !~ '^[[:lower:][:digit:]][[:lower:][:digit:] &’''-]{0,29}$'
  )
  union all
  select 'content', 'Write the article.' where private.trim_markdown(v.content) = ''
$function$;
comment on function private.article_issues(public.draft_versions) is 'What an article still needs.';

CREATE OR REPLACE FUNCTION private.course_issues(v public.draft_versions)
 RETURNS TABLE(field text, message text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with modules as (
    select m.place, m.module ->> 'slug' as slug, m.module ->> 'title' as title, m.module ->> 'content' as content,
      (m.module ->> 'minutes')::integer as minutes, m.module ->> 'video_url' as video_url
    from jsonb_array_elements(v.modules) with ordinality m (module, place)
  )
  select 'excerpt', 'Write a description of at most 300 characters.' where char_length(v.excerpt) not between 1 and 300
  union all
  select 'modules', 'Add a module.' where not exists (select from modules)
  union all
  select 'modules', 'Give every module an address of its own.'
  where (select count(*) from modules) <> (select count(distinct m.slug) from modules m)
  union all
  select 'modules.' || m.place, i.message
  from modules m cross join lateral (
    select 'Write a title of at most 90 characters on one line.' as message
    where char_length(btrim(m.title)) not between 1 and 90 or m.title ~ '[[:cntrl:]]'
    union all
    select 'Use lower-case letters, digits and hyphens for the address.' where not private.is_slug(m.slug)
    union all
    select 'Write the lesson.' where private.trim_markdown(m.content) = ''
    union all
    select 'The lesson has at most 200 KB of text.' where octet_length(m.content) > 204800
    union all
    select 'The lesson needs a heading “Exercise”.' where m.content !~ '(^|\n)## +Exercise *(\n|$)'
    union all
    select 'A module takes 1 to 600 minutes.' where m.minutes not between 1 and 600
    union all
    select 'Use a YouTube (no-cookie) or Vimeo player address, or a file of this site.'
    where m.video_url
      !~ '^(https://(www\.youtube-nocookie\.com/embed|player\.vimeo\.com/video)/[\w-]+|/(?!/)[\w./-]+\.(mp4|webm))$'
  ) i
$function$;
comment on function private.course_issues(public.draft_versions) is 'What a course still needs.';

CREATE OR REPLACE FUNCTION private.place_issues(d public.drafts, v public.draft_versions)
 RETURNS TABLE(field text, message text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with live as (
    select a.subcategory_id, a.slug from public.articles a where a.id = d.article_id
    union all
    select c.subcategory_id, c.slug from public.courses c where c.id = d.course_id
  ),
  -- The importer knows a text by its category and address, so that it can move between subcategories.
  category as (
    select s.id from public.subcategories s
    where s.main_category = (select t.main_category from public.subcategories t where t.id = v.subcategory_id)
  )
  select 'title', 'Write a title of at most 90 characters on one line.'
  where char_length(v.title) not between 1 and 90 or v.title ~ '[[:cntrl:]]'
  union all
  select 'slug', 'Use lower-case letters, digits and hyphens for the address.' where not private.is_slug(v.slug)
  union all
  select 'subcategory_id', 'Choose a subcategory.'
  where not exists (select from public.subcategories s where s.id = v.subcategory_id and s.is_active)
  union all
  select 'slug', 'The address and the subcategory of published work stay as they are.'
  from live l where (l.subcategory_id, l.slug) is distinct from (v.subcategory_id, v.slug)
  union all
  select 'slug', 'Another text has this address. Choose another one.'
  where not exists (select from live) and (
    d.kind = 'article' and exists (select from public.articles a join category s on s.id = a.subcategory_id where a.slug = v.slug)
    or d.kind = 'course' and exists (select from public.courses c join category s on s.id = c.subcategory_id where c.slug = v.slug)
  )
$function$;
comment on function private.place_issues(public.drafts,public.draft_versions) is 'What is wrong with the title and the place of a draft in the library.';

CREATE OR REPLACE FUNCTION private.draft_issues(d public.drafts, v public.draft_versions)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('field', i.field, 'message', i.message)), '[]')
  from (
    select p.field, p.message from private.place_issues(d, v) p
    union all
    select a.field, a.message from private.article_issues(v) a where d.kind = 'article'
    union all
    select c.field, c.message from private.course_issues(v) c where d.kind = 'course'
  ) i
$function$;
comment on function private.draft_issues(public.drafts,public.draft_versions) is 'What a version still needs before it can be published, as a list of field and message.';

CREATE OR REPLACE FUNCTION private.publish_article(d public.drafts, v public.draft_versions)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  place integer;
  created uuid;
begin
  if d.article_id is not null then
    update public.articles a
    set title = v.title, excerpt = v.excerpt, content = private.trim_markdown(v.content), tags = v.tags,
      estimated_read_time = private.reading_minutes(v.content), is_published = true
    where a.id = d.article_id;
    return d.article_id;
  end if;
  select coalesce(max(a.display_order), 0) + 1 into place from public.articles a where a.subcategory_id = v.subcategory_id;
  insert into public.articles (subcategory_id, slug, title, excerpt, content, tags, display_order, estimated_read_time,
    is_published, author_id, created_at)
  values (v.subcategory_id, v.slug, v.title, v.excerpt, private.trim_markdown(v.content), v.tags, place,
    private.reading_minutes(v.content), true, d.owner_id, date_trunc('day', now(), 'UTC') - make_interval(secs => place))
  returning id into created;
  return created;
end
$function$;
comment on function private.publish_article(public.drafts,public.draft_versions) is 'Writes the article of a draft; its id. Reads stay.';

CREATE OR REPLACE FUNCTION private.publish_modules(course uuid, modules jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into public.course_modules as t (course_id, slug, title, content, module_order, estimated_duration, video_url,
    is_published)
  select course, m.module ->> 'slug', btrim(m.module ->> 'title'), private.trim_markdown(m.module ->> 'content'), m.place,
    coalesce((m.module ->> 'minutes')::integer, private.reading_minutes(m.module ->> 'content')), m.module ->> 'video_url',
    true
  from jsonb_array_elements(modules) with ordinality m (module, place)
  on conflict (course_id, slug) do update set title = excluded.title, content = excluded.content,
    module_order = excluded.module_order, estimated_duration = excluded.estimated_duration,
    video_url = excluded.video_url, is_published = true;
  update public.course_modules t set is_published = false
  where t.course_id = course and t.is_published
    and not exists (select from jsonb_array_elements(modules) m where m ->> 'slug' = t.slug);
  update public.courses c set estimated_duration = (
    select coalesce(sum(m.estimated_duration), 0) from public.course_modules m where m.course_id = course and m.is_published
  ) where c.id = course
$function$;
comment on function private.publish_modules(uuid,jsonb) is 'Writes the modules of a course. Modules that are gone are hidden; completions stay.';

CREATE OR REPLACE FUNCTION private.publish_course(d public.drafts, v public.draft_versions)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  place integer;
  target uuid := d.course_id;
begin
  if target is null then
    select coalesce(max(c.display_order), 0) + 1 into place from public.courses c where c.subcategory_id = v.subcategory_id;
    insert into public.courses (subcategory_id, slug, title, description, difficulty_level, price, display_order,
      is_published, mentor_id, created_at)
    values (v.subcategory_id, v.slug, v.title, v.excerpt, v.difficulty_level, v.price, place, true, d.owner_id,
      date_trunc('day', now(), 'UTC') - make_interval(secs => place))
    returning id into target;
  else
    update public.courses c
    set title = v.title, description = v.excerpt, difficulty_level = v.difficulty_level, price = v.price,
      is_published = true
    where c.id = target;
  end if;
  perform private.publish_modules(target, v.modules);
  return target;
end
$function$;
comment on function private.publish_course(public.drafts,public.draft_versions) is 'Writes the course of a draft with its modules; its id. Enrolments and completions stay.';

CREATE OR REPLACE FUNCTION private.publish_draft_version(draft uuid, publisher uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  d public.drafts;
  v public.draft_versions;
  issues jsonb;
begin
  select t.* into strict d from public.drafts t where t.id = draft for update;
  select t.* into strict v from public.draft_versions t where t.draft_id = draft and t.version = d.version;
  -- One publication after another in a subcategory, so that order and address are unique.
  perform from public.subcategories s where s.id = v.subcategory_id for no key update;
  issues := private.draft_issues(d, v);
  if issues <> '[]' then
    perform private.fail('FF654', 'This cannot be published yet.', issues::text);
  end if;
  if d.kind = 'article' then
    d.article_id := private.publish_article(d, v);
  else
    d.course_id := private.publish_course(d, v);
  end if;
  update public.drafts t
  set status = 'published', published_version = v.version, published_at = clock_timestamp(), publish_at = null,
    article_id = d.article_id, course_id = d.course_id, updated_at = clock_timestamp()
  where t.id = draft;
  perform private.audit(publisher, 'draft.published', d.owner_id, jsonb_build_object(
    'draft', draft, 'version', v.version,
    'before', jsonb_build_object('status', d.status, 'published_version', d.published_version),
    'after', jsonb_build_object('status', 'published', 'published_version', v.version)
  ));
end
$function$;
comment on function private.publish_draft_version(uuid,uuid) is 'Publishes the newest version of a draft; FF654 with the issues in details. Audited.';

-- draft review

CREATE OR REPLACE FUNCTION private.is_in_library(d public.drafts)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.articles a where a.id = d.article_id and a.is_published)
    or exists (select from public.courses c where c.id = d.course_id and c.is_published)
$function$;
comment on function private.is_in_library(public.drafts) is 'True while members of its level find a published version of the draft.';

CREATE OR REPLACE FUNCTION private.caller_is_trusted(d public.drafts)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.caller_is_admin()
    or exists (select from private.trusted_mentors t where t.user_id = d.owner_id)
      -- What an administrator withdrew in the console is reviewed before it comes back.
      and (private.is_in_library(d) or not exists (
        select from private.console_edits k
        where k.row_id in (d.article_id, d.course_id) and k.column_name = 'is_published'
      ))
$function$;
comment on function private.caller_is_trusted(public.drafts) is 'True when the caller publishes this draft without a review.';

CREATE OR REPLACE FUNCTION private.release_draft(draft uuid, publish_at timestamp with time zone, approved_by uuid)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  former public.drafts;
begin
  if publish_at > now() + interval '1 year' then
    perform private.fail('FF655', 'Choose a time within a year.');
  end if;
  select d.* into strict former from public.drafts d where d.id = draft for update;
  update public.drafts d set approved_by = release_draft.approved_by where d.id = draft;
  if publish_at > now() then
    update public.drafts d set status = 'scheduled', publish_at = release_draft.publish_at, updated_at = clock_timestamp()
    where d.id = draft;
    perform private.audit(auth.uid(), 'draft.scheduled', former.owner_id, jsonb_build_object(
      'draft', draft, 'version', former.version, 'before', jsonb_build_object('status', former.status),
      'after', jsonb_build_object('status', 'scheduled', 'publish_at', release_draft.publish_at)
    ));
    return 'scheduled';
  end if;
  perform private.publish_draft_version(draft, auth.uid());
  return 'published';
end
$function$;
comment on function private.release_draft(uuid,timestamp with time zone,uuid) is 'Publishes or schedules the newest version; the new status. Audited.';

CREATE OR REPLACE FUNCTION private.require_ready(d public.drafts)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  issues jsonb := (
    select private.draft_issues(d, v) from public.draft_versions v where v.draft_id = d.id and v.version = d.version
  );
begin
  if issues <> '[]' then
    perform private.fail('FF654', 'This cannot be published yet.', issues::text);
  end if;
end
$function$;
comment on function private.require_ready(public.drafts) is 'Raises FF654 with what the newest version still needs in details.';

CREATE OR REPLACE FUNCTION private.submit_draft(draft uuid, expected_version integer, publish_at timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_mentor();
  d public.drafts := private.lock_draft(draft, expected_version, '{draft,returned,published,withdrawn}');
begin
  if d.owner_id <> caller then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  if d.status = 'published' and d.published_version = d.version then
    perform private.fail('FF653', 'The draft is in another state.', d.status);
  end if;
  perform private.require_ready(d);
  if private.caller_is_trusted(d) then
    return private.release_draft(draft, submit_draft.publish_at, null);
  end if;
  update public.drafts t
  set status = 'submitted', submitted_at = clock_timestamp(), publish_at = submit_draft.publish_at,
    updated_at = clock_timestamp()
  where t.id = draft;
  return 'submitted';
end
$function$;
comment on function private.submit_draft(uuid,integer,timestamp with time zone) is 'Hands the newest version in for review; trusted mentors publish or schedule it. The new status. publish_at is the wished time.';
grant execute on function private.submit_draft(uuid,integer,timestamp with time zone) to authenticated;

CREATE OR REPLACE FUNCTION private.recall_draft(draft uuid, expected_version integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_caller();
  perform private.lock_draft(draft, expected_version, '{submitted,scheduled}');
  update public.drafts d
  set status = case
      when d.published_version is null then 'draft' when private.is_in_library(d) then 'published' else 'withdrawn'
    end, publish_at = null, updated_at = clock_timestamp()
  where d.id = draft;
end
$function$;
comment on function private.recall_draft(uuid,integer) is 'Takes a draft back from review or from its schedule.';
grant execute on function private.recall_draft(uuid,integer) to authenticated;

CREATE OR REPLACE FUNCTION private.withdraw_draft(draft uuid, expected_version integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  d public.drafts := private.lock_draft(draft, expected_version, '{published,returned,draft}');
begin
  if d.published_version is null then
    perform private.fail('FF653', 'The draft is in another state.', d.status);
  end if;
  update public.articles a set is_published = false where a.id = d.article_id;
  update public.courses c set is_published = false where c.id = d.course_id;
  update public.drafts t set status = 'withdrawn', updated_at = clock_timestamp() where t.id = draft;
  perform private.audit(caller, 'draft.withdrawn', d.owner_id, jsonb_build_object(
    'draft', draft, 'before', jsonb_build_object('status', d.status), 'after', jsonb_build_object('status', 'withdrawn')
  ));
end
$function$;
comment on function private.withdraw_draft(uuid,integer) is 'Hides published work from the library. Reads, enrolments and completions stay. Audited.';
grant execute on function private.withdraw_draft(uuid,integer) to authenticated;

CREATE OR REPLACE FUNCTION private.archive_draft(draft uuid, expected_version integer, archived boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  d public.drafts;
begin
  perform private.require_caller();
  d := private.lock_draft(
    draft, expected_version, case when archived then '{draft,returned,withdrawn}' else '{archived}' end::text[]
  );
  if archived and private.is_in_library(d) then
    perform private.fail('FF653', 'The draft is in another state.', 'published');
  end if;
  update public.drafts t
  set status = case when archived then 'archived' when t.published_version is null then 'draft' else 'withdrawn' end,
    updated_at = clock_timestamp()
  where t.id = draft;
end
$function$;
comment on function private.archive_draft(uuid,integer,boolean) is 'Puts a draft away, or takes it out again.';
grant execute on function private.archive_draft(uuid,integer,boolean) to authenticated;

CREATE OR REPLACE FUNCTION private.return_draft(draft uuid, expected_version integer, comments jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_admin();
  d public.drafts := private.lock_draft(draft, expected_version, '{submitted}');
begin
  if jsonb_typeof(comments) is distinct from 'array' or jsonb_array_length(comments) not between 1 and 100 then
    perform private.fail('FF656', 'Write 1 to 100 comments.');
  end if;
  insert into public.draft_comments (draft_id, version, author_id, quote, comment)
  select d.id, d.version, admin, coalesce(c ->> 'quote', ''), btrim(coalesce(c ->> 'comment', ''))
  from jsonb_array_elements(comments) c;
  update public.drafts t set status = 'returned', publish_at = null, updated_at = clock_timestamp() where t.id = draft;
  perform private.audit(admin, 'draft.returned', d.owner_id, jsonb_build_object(
    'draft', draft, 'version', d.version,
    'before', jsonb_build_object('status', d.status), 'after', jsonb_build_object('status', 'returned')
  ));
end
$function$;
comment on function private.return_draft(uuid,integer,jsonb) is 'Sends a draft back with comments, each with quote and comment; FF656 without any. Audited.';
grant execute on function private.return_draft(uuid,integer,jsonb) to authenticated;

CREATE OR REPLACE FUNCTION private.publish_draft(draft uuid, expected_version integer, publish_at timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_admin();
  d public.drafts := private.lock_draft(draft, expected_version, '{submitted}');
begin
  perform private.require_ready(d);
  return private.release_draft(draft, coalesce(publish_draft.publish_at, d.publish_at), admin);
end
$function$;
comment on function private.publish_draft(uuid,integer,timestamp with time zone) is 'Approves a submitted draft: publishes it, or at the given or wished time. The new status. Audited.';
grant execute on function private.publish_draft(uuid,integer,timestamp with time zone) to authenticated;

CREATE OR REPLACE FUNCTION private.set_trusted_mentor(member uuid, trusted boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
begin
  if not exists (select from public.profiles p where p.id = member and p.role = 'mentor') then
    perform private.fail('FF657', 'Only mentors can be trusted.');
  end if;
  if trusted then
    insert into private.trusted_mentors (user_id) values (member) on conflict do nothing;
  else
    delete from private.trusted_mentors t where t.user_id = member;
  end if;
  if found then
    perform private.audit(admin, 'mentor.trusted', member, jsonb_build_object(
      'before', jsonb_build_object('trusted', not trusted), 'after', jsonb_build_object('trusted', trusted)
    ));
  end if;
end
$function$;
comment on function private.set_trusted_mentor(uuid,boolean) is 'Lets a mentor publish without a review, or no longer; FF657 for others. Audited.';
grant execute on function private.set_trusted_mentor(uuid,boolean) to authenticated;

-- draft schedule

CREATE OR REPLACE FUNCTION private.publish_due_drafts()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  due record;
  published integer := 0;
begin
  for due in
    select d.id, d.version from public.drafts d
    where d.status = 'scheduled' and d.publish_at <= now() and (d.approved_by is not null or private.is_mentor(d.owner_id))
    order by d.publish_at, d.id for update skip locked
  loop
    begin
      perform private.publish_draft_version(due.id, null);
      published := published + 1;
    exception when sqlstate 'FF654' then
      insert into public.draft_comments (draft_id, version, comment)
      values (due.id, due.version, 'This could not be published at its time. Check the address and the subcategory, then submit it again.');
      update public.drafts d set status = 'returned', publish_at = null, updated_at = clock_timestamp() where d.id = due.id;
    end;
  end loop;
  return published;
end
$function$;
comment on function private.publish_due_drafts() is 'Publishes what was scheduled for now or earlier; returns what cannot be published. The number published.';
grant execute on function private.publish_due_drafts() to service_role;

CREATE OR REPLACE FUNCTION public.publish_due_drafts()
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.publish_due_drafts() $function$;
comment on function public.publish_due_drafts() is 'Server: publish the drafts whose time has come; their number.';
grant execute on function public.publish_due_drafts() to service_role;

CREATE OR REPLACE FUNCTION public.submit_draft(draft_id uuid, expected_version integer, publish_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.submit_draft(draft_id, expected_version, publish_at) $function$;
comment on function public.submit_draft(uuid,integer,timestamp with time zone) is 'Mentors: hand a draft in for review; trusted mentors publish it. The new status.';
grant execute on function public.submit_draft(uuid,integer,timestamp with time zone) to authenticated;

CREATE OR REPLACE FUNCTION public.recall_draft(draft_id uuid, expected_version integer)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.recall_draft(draft_id, expected_version) $function$;
comment on function public.recall_draft(uuid,integer) is 'Mentors: take a draft back from review or from its schedule.';
grant execute on function public.recall_draft(uuid,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.withdraw_draft(draft_id uuid, expected_version integer)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.withdraw_draft(draft_id, expected_version) $function$;
comment on function public.withdraw_draft(uuid,integer) is 'Mentors: hide published work from the library.';
grant execute on function public.withdraw_draft(uuid,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.archive_draft(draft_id uuid, expected_version integer, archived boolean DEFAULT true)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.archive_draft(draft_id, expected_version, archived) $function$;
comment on function public.archive_draft(uuid,integer,boolean) is 'Mentors: put a draft away, or take it out again.';
grant execute on function public.archive_draft(uuid,integer,boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.return_draft(draft_id uuid, expected_version integer, comments jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.return_draft(draft_id, expected_version, comments) $function$;
comment on function public.return_draft(uuid,integer,jsonb) is 'Administrators: send a submitted draft back with comments.';
grant execute on function public.return_draft(uuid,integer,jsonb) to authenticated;

CREATE OR REPLACE FUNCTION public.publish_draft(draft_id uuid, expected_version integer, publish_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.publish_draft(draft_id, expected_version, publish_at) $function$;
comment on function public.publish_draft(uuid,integer,timestamp with time zone) is 'Administrators: publish a submitted draft, or schedule it. The new status.';
grant execute on function public.publish_draft(uuid,integer,timestamp with time zone) to authenticated;

CREATE OR REPLACE FUNCTION public.set_trusted_mentor(member_id uuid, trusted boolean)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.set_trusted_mentor(member_id, trusted) $function$;
comment on function public.set_trusted_mentor(uuid,boolean) is 'Administrators: let a mentor publish without a review, or no longer.';
grant execute on function public.set_trusted_mentor(uuid,boolean) to authenticated;

-- studio subcategories

CREATE OR REPLACE FUNCTION private.studio_subcategories()
 RETURNS TABLE(id uuid, main_category text, slug text, name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_mentor();
  return query
    select s.id, s.main_category, s.slug, s.name from public.subcategories s where s.is_active
    order by s.main_category, s.display_order, s.name;
end
$function$;
comment on function private.studio_subcategories() is 'The subcategories something can be published in; FF650 for other callers than mentors.';
grant execute on function private.studio_subcategories() to authenticated;

CREATE OR REPLACE FUNCTION public.studio_subcategories()
 RETURNS TABLE(id uuid, main_category text, slug text, name text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.studio_subcategories() $function$;
comment on function public.studio_subcategories() is 'Mentors: the subcategories something can be published in.';
grant execute on function public.studio_subcategories() to authenticated;

-- affiliates

create table private.affiliate_terms (
  id boolean default true not null,
  rate_basis_points integer not null,
  commission_months integer not null,
  attribution_days integer not null,
  pending_days integer not null,
  least_payout_pence integer not null,
  constraint affiliate_terms_pkey PRIMARY KEY (id),
  constraint affiliate_terms_attribution_check CHECK (((attribution_days >= 1) AND (attribution_days <= 365))),
  constraint affiliate_terms_id_check CHECK (id),
  constraint affiliate_terms_months_check CHECK (((commission_months >= 1) AND (commission_months <= 60))),
  constraint affiliate_terms_payout_check CHECK ((least_payout_pence > 0)),
  constraint affiliate_terms_pending_check CHECK (((pending_days >= 0) AND (pending_days <= 180))),
  constraint affiliate_terms_rate_check CHECK (((rate_basis_points >= 0) AND (rate_basis_points <= 5000)))
);
comment on table private.affiliate_terms is 'What a referral earns. The owner may change it; payments that earned before keep their rate.';
comment on column private.affiliate_terms.id is 'Always true, so that there is one row.';
comment on column private.affiliate_terms.rate_basis_points is 'Commission in hundredths of a per cent of what was paid.';
comment on column private.affiliate_terms.commission_months is 'For how long after the sign-up payments earn.';
comment on column private.affiliate_terms.attribution_days is 'How long a first visit counts.';
comment on column private.affiliate_terms.pending_days is 'From a payment until its commission can be paid out.';
alter table private.affiliate_terms enable row level security;

create table private.affiliates (
  affiliate_id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  code text not null,
  created_at timestamp with time zone default now() not null,
  constraint affiliates_code_key UNIQUE (code),
  constraint affiliates_user_id_key UNIQUE (user_id),
  constraint affiliates_pkey PRIMARY KEY (affiliate_id),
  constraint affiliates_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint affiliates_code_check CHECK ((code ~ '^[a-z2-9]{8}$'::text))
);
comment on table private.affiliates is 'Members who have opened their affiliate page, with the code of their link.';
comment on column private.affiliates.affiliate_id is 'Stands for the member in the ledger, which outlives the account and names no person.';
alter table private.affiliates enable row level security;
CREATE TRIGGER affiliates__forfeit BEFORE DELETE ON private.affiliates FOR EACH ROW EXECUTE FUNCTION private.tg_affiliates__forfeit();

create table private.affiliate_visits (
  visit_hash bytea not null,
  affiliate_id uuid not null,
  first_at timestamp with time zone default now() not null,
  used_at timestamp with time zone,
  constraint affiliate_visits_pkey PRIMARY KEY (visit_hash),
  constraint affiliate_visits_affiliate_id_fkey FOREIGN KEY (affiliate_id) REFERENCES private.affiliates(affiliate_id) ON DELETE CASCADE,
  constraint affiliate_visits_hash_check CHECK ((octet_length(visit_hash) = 32))
);
comment on table private.affiliate_visits is 'Visitors who came by a link and agreed that this is remembered. Nothing about the person or the device.';
comment on column private.affiliate_visits.visit_hash is 'SHA-256 of the random id that the visitor''s browser keeps.';
comment on column private.affiliate_visits.used_at is 'When an account was made by it; one visit brings one account.';
CREATE INDEX affiliate_visits_affiliate_id_idx ON private.affiliate_visits USING btree (affiliate_id, first_at);
alter table private.affiliate_visits enable row level security;

create table private.referrals (
  user_id uuid not null,
  affiliate_id uuid not null,
  referred_at timestamp with time zone default now() not null,
  constraint referrals_pkey PRIMARY KEY (user_id),
  constraint referrals_affiliate_id_fkey FOREIGN KEY (affiliate_id) REFERENCES private.affiliates(affiliate_id) ON DELETE CASCADE,
  constraint referrals_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table private.referrals is 'Accounts that were brought by a link. Their payments earn for commission_months from referred_at on.';
CREATE INDEX referrals_affiliate_id_idx ON private.referrals USING btree (affiliate_id);
alter table private.referrals enable row level security;

create table private.commissions (
  charge_id text not null,
  affiliate_id uuid not null,
  invoice_id text not null,
  rate_basis_points integer not null,
  paid_at timestamp with time zone not null,
  payable_at timestamp with time zone not null,
  released_at timestamp with time zone,
  is_void boolean default false not null,
  constraint commissions_pkey PRIMARY KEY (charge_id)
);
comment on table private.commissions is 'Payments that earn. How much is in the ledger; the row outlives both accounts and names no person.';
comment on column private.commissions.affiliate_id is 'References affiliates while the account exists.';
comment on column private.commissions.released_at is 'When it moved from pending to payable.';
comment on column private.commissions.is_void is 'The affiliate deleted the account before it was payable.';
CREATE INDEX commissions_affiliate_id_idx ON private.commissions USING btree (affiliate_id, paid_at DESC);
CREATE INDEX commissions_due_idx ON private.commissions USING btree (payable_at) WHERE (released_at IS NULL);
alter table private.commissions enable row level security;

create table private.affiliate_payouts (
  id bigint generated always as identity not null,
  affiliate_id uuid not null,
  amount_pence bigint not null,
  reference text not null,
  paid_at timestamp with time zone default now() not null,
  constraint affiliate_payouts_pkey PRIMARY KEY (id),
  constraint affiliate_payouts_amount_check CHECK ((amount_pence > 0)),
  constraint affiliate_payouts_reference_check CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 140)))
);
comment on table private.affiliate_payouts is 'Bank transfers to affiliates, marked by an administrator. Who marked them is in the audit log.';
comment on column private.affiliate_payouts.reference is 'Reference of the transfer at the bank.';
CREATE INDEX affiliate_payouts_affiliate_id_idx ON private.affiliate_payouts USING btree (affiliate_id, paid_at DESC);
alter table private.affiliate_payouts enable row level security;
CREATE TRIGGER affiliate_payouts__append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON private.affiliate_payouts FOR EACH STATEMENT EXECUTE FUNCTION private.tg_affiliate_payouts__append_only();

create table private.ledger_transactions (
  id bigint generated always as identity not null,
  kind text not null,
  affiliate_id uuid not null,
  charge_id text,
  payout_id bigint,
  recorded_at timestamp with time zone default now() not null,
  constraint ledger_transactions_payout_id_key UNIQUE (payout_id),
  constraint ledger_transactions_pkey PRIMARY KEY (id),
  constraint ledger_transactions_charge_id_fkey FOREIGN KEY (charge_id) REFERENCES private.commissions(charge_id),
  constraint ledger_transactions_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES private.affiliate_payouts(id),
  constraint ledger_transactions_kind_check CHECK ((kind = ANY (ARRAY['commission'::text, 'release'::text, 'payout'::text, 'forfeit'::text])))
);
comment on table private.ledger_transactions is 'commission: earned, or taken back when an entry is negative; release: pending became payable; payout; forfeit: the account was deleted.';
CREATE INDEX ledger_transactions_affiliate_id_idx ON private.ledger_transactions USING btree (affiliate_id, recorded_at);
CREATE INDEX ledger_transactions_charge_id_idx ON private.ledger_transactions USING btree (charge_id);
alter table private.ledger_transactions enable row level security;
CREATE TRIGGER ledger_transactions__append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON private.ledger_transactions FOR EACH STATEMENT EXECUTE FUNCTION private.tg_ledger_transactions__append_only();

create table private.ledger_entries (
  transaction_id bigint not null,
  account text not null,
  amount_pence bigint not null,
  constraint ledger_entries_pkey PRIMARY KEY (transaction_id, account),
  constraint ledger_entries_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES private.ledger_transactions(id),
  constraint ledger_entries_account_check CHECK ((account = ANY (ARRAY['house'::text, 'pending'::text, 'payable'::text, 'paid'::text]))),
  constraint ledger_entries_amount_check CHECK ((amount_pence <> 0))
);
comment on table private.ledger_entries is 'The two sides of each transaction; they sum to zero.';
comment on column private.ledger_entries.account is 'house is what the business owes, the others are the affiliate''s.';
alter table private.ledger_entries enable row level security;
CREATE TRIGGER ledger_entries__append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON private.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION private.tg_ledger_entries__append_only();
CREATE CONSTRAINT TRIGGER ledger_entries__balance AFTER INSERT ON private.ledger_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION private.tg_ledger_entries__balance();

CREATE OR REPLACE FUNCTION private.tg_ledger_transactions__append_only()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception 'the ledger is only ever added to';
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_ledger_entries__append_only()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception 'the ledger is only ever added to';
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_affiliate_payouts__append_only()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception 'the ledger is only ever added to';
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_ledger_entries__balance()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if (select sum(e.amount_pence) from private.ledger_entries e where e.transaction_id = new.transaction_id) <> 0 then
    raise exception 'transaction % of the ledger does not sum to zero', new.transaction_id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.book(kind text, affiliate uuid, charge text, payout bigint, from_account text, to_account text, amount_pence bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  booked bigint;
begin
  if amount_pence = 0 then
    return;
  end if;
  insert into private.ledger_transactions as t (kind, affiliate_id, charge_id, payout_id)
  values (book.kind, affiliate, charge, payout) returning t.id into booked;
  insert into private.ledger_entries (transaction_id, account, amount_pence)
  values (booked, from_account, -book.amount_pence), (booked, to_account, book.amount_pence);
end
$function$;
comment on function private.book(text,uuid,text,bigint,text,text,bigint) is 'Moves an amount, negative for the way back, between two accounts of one affiliate; nothing when it is zero.';

create view private.affiliate_balances with (security_invoker=true) as
 SELECT t.affiliate_id,
    (COALESCE(sum(e.amount_pence) FILTER (WHERE (e.account = 'pending'::text)), (0)::numeric))::bigint AS pending_pence,
    (COALESCE(sum(e.amount_pence) FILTER (WHERE (e.account = 'payable'::text)), (0)::numeric))::bigint AS payable_pence,
    (COALESCE(sum(e.amount_pence) FILTER (WHERE (e.account = 'paid'::text)), (0)::numeric))::bigint AS paid_pence
   FROM (private.ledger_transactions t
     JOIN private.ledger_entries e ON ((e.transaction_id = t.id)))
  GROUP BY t.affiliate_id;
comment on view private.affiliate_balances is 'What each affiliate has; payable is negative while more was paid out than is owed.';

create view private.commission_amounts with (security_invoker=true) as
 SELECT t.charge_id,
    (COALESCE(sum(e.amount_pence) FILTER (WHERE (e.account = 'pending'::text)), (0)::numeric))::bigint AS pending_pence,
    (COALESCE(sum(e.amount_pence) FILTER (WHERE (e.account = ANY (ARRAY['pending'::text, 'payable'::text]))), (0)::numeric))::bigint AS amount_pence
   FROM (private.ledger_transactions t
     JOIN private.ledger_entries e ON ((e.transaction_id = t.id)))
  WHERE (t.charge_id IS NOT NULL)
  GROUP BY t.charge_id;
comment on view private.commission_amounts is 'What each payment earns now, and how much of that is pending.';

-- referrals

CREATE OR REPLACE FUNCTION private.new_affiliate_code()
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select string_agg(substr('abcdefghjkmnpqrstuvwxyz23456789', 1 + (get_byte(b.bytes, i) % 31), 1), '')
  from (select extensions.gen_random_bytes(8) as bytes) b, generate_series(0, 7) i
$function$;
comment on function private.new_affiliate_code() is 'A random code of eight characters.';

CREATE OR REPLACE FUNCTION private.hash_visit(visit uuid)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select sha256(convert_to(visit::text, 'utf8')) $function$;
comment on function private.hash_visit(uuid) is 'What is stored of a visit''s id.';

CREATE OR REPLACE FUNCTION private.record_affiliate_visit(code text, known uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  visit constant uuid := gen_random_uuid();
  days constant integer := (select t.attribution_days from private.affiliate_terms t);
begin
  -- The first visit counts, until it is too old or has brought an account.
  if exists (
    select from private.affiliate_visits v where v.visit_hash = private.hash_visit(known)
      and v.used_at is null and v.first_at > now() - make_interval(days => days)
  ) then
    return known;
  end if;
  insert into private.affiliate_visits (visit_hash, affiliate_id)
  select private.hash_visit(visit), a.affiliate_id from private.affiliates a
  where a.code = lower(btrim(record_affiliate_visit.code)) and private.effective_level(a.user_id) >= 1
    -- Nobody can fill the table: a thousand a day is more than a link brings.
    and (
      select count(*) from private.affiliate_visits v
      where v.affiliate_id = a.affiliate_id and v.first_at > now() - interval '1 day'
    ) < 1000;
  return case when found then visit end;
end
$function$;
comment on function private.record_affiliate_visit(text,uuid) is 'Remembers a visit by a member''s link and returns its id; null for an unknown code, one whose owner is no member now, or a thousand visits a day.';
grant execute on function private.record_affiliate_visit(text,uuid) to service_role;

CREATE OR REPLACE FUNCTION public.record_affiliate_visit(code text, known uuid DEFAULT NULL::uuid)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_affiliate_visit(code, known) $function$;
comment on function public.record_affiliate_visit(text,uuid) is 'Server: remember a visit by an affiliate link.';
grant execute on function public.record_affiliate_visit(text,uuid) to service_role;

CREATE OR REPLACE FUNCTION private.mailbox_of(address text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case when p.host in ('gmail.com', 'googlemail.com') then replace(p.box, '.', '') || '@gmail.com' else p.box || '@' || p.host end
  from (
    select split_part(split_part(lower(address), '@', 1), '+', 1) as box, split_part(lower(address), '@', 2) as host
  ) p
$function$;
comment on function private.mailbox_of(text) is 'The address without tag and, where the host ignores them, without dots.';

CREATE OR REPLACE FUNCTION private.claim_referral(visit uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.require_caller();
  days constant integer := (select t.attribution_days from private.affiliate_terms t);
  affiliate private.affiliates;
  address text;
begin
  perform private.enforce_rate_limit(caller, 'claim_referral');
  select u.email into address from auth.users u where u.id = caller for update;
  select a.* into affiliate
  from private.affiliate_visits v
  join private.affiliates a on a.affiliate_id = v.affiliate_id
  join auth.users u on u.id = caller
  where v.visit_hash = private.hash_visit(visit) and v.used_at is null and v.first_at > now() - make_interval(days => days)
    -- An account that was there before was not brought by the visit.
    and u.created_at >= v.first_at
  for update of v;
  if not found
    or affiliate.user_id = caller
    or exists (
      select from auth.users u where u.id = affiliate.user_id and private.mailbox_of(u.email) = private.mailbox_of(address)
    )
    or exists (select from private.referrals r where r.user_id = caller)
    -- Whoever has paid already is a member, whom nobody brings.
    or exists (
      select from public.stripe_customers k join private.payment_records p on p.customer_id = k.customer_id
      where k.user_id = caller
    )
    -- No rings: the affiliate was not brought by the caller, over however many others.
    or exists (
      with recursive above as (
        select r.affiliate_id from private.referrals r where r.user_id = affiliate.user_id
        union
        select r.affiliate_id from above b
        join private.affiliates a on a.affiliate_id = b.affiliate_id
        join private.referrals r on r.user_id = a.user_id
      )
      select from above b join private.affiliates a on a.affiliate_id = b.affiliate_id where a.user_id = caller
    ) then
    return false;
  end if;
  update private.affiliate_visits v set used_at = now() where v.visit_hash = private.hash_visit(visit);
  insert into private.referrals (user_id, affiliate_id) values (caller, affiliate.affiliate_id);
  return true;
end
$function$;
comment on function private.claim_referral(uuid) is 'Makes the caller''s new account one that was brought by the visit; false when the visit or the account does not allow it.';
grant execute on function private.claim_referral(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.claim_referral(visit uuid)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.claim_referral(visit) $function$;
comment on function public.claim_referral(uuid) is 'A new account says by which visit it was brought; true when it counts.';
grant execute on function public.claim_referral(uuid) to authenticated;

-- commissions

CREATE OR REPLACE FUNCTION private.is_shared_card(charge text, affiliate uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from private.billing_charges mine
    join public.stripe_customers me on me.customer_id = mine.customer_id
    join private.billing_charges other on other.card_hash = mine.card_hash and other.charge_id <> mine.charge_id
    join public.stripe_customers they on they.customer_id = other.customer_id and they.user_id <> me.user_id
    where mine.charge_id = charge and (
      they.user_id = (select a.user_id from private.affiliates a where a.affiliate_id = affiliate)
      or (select min(p.happened_at) from private.payment_records p where p.charge_id = other.charge_id and p.kind = 'payment')
        < (select min(p.happened_at) from private.payment_records p where p.charge_id = mine.charge_id and p.kind = 'payment')
    )
  )
$function$;
comment on function private.is_shared_card(text,uuid) is 'Whether the payment was made with a card of the affiliate, or of an account that used it earlier.';

CREATE OR REPLACE FUNCTION private.settle_commission(charge text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  reading private.billing_charges;
  earned private.commissions;
  due bigint := 0;
  booked bigint;
begin
  select c.* into reading from private.billing_charges c where c.charge_id = charge;
  insert into private.commissions (charge_id, affiliate_id, invoice_id, rate_basis_points, paid_at, payable_at)
  select charge, r.affiliate_id, reading.invoice_id, t.rate_basis_points, p.happened_at,
    p.happened_at + make_interval(days => t.pending_days)
  from public.stripe_customers k
  join private.referrals r on r.user_id = k.user_id
  join private.payment_records p on p.charge_id = charge and p.kind = 'payment' and p.status = 'succeeded' and p.currency = 'gbp'
  cross join private.affiliate_terms t
  where k.customer_id = reading.customer_id and reading.invoice_id is not null and reading.amount > 0
    and p.happened_at >= date_trunc('second', r.referred_at)
    and p.happened_at < r.referred_at + make_interval(months => t.commission_months)
  on conflict (charge_id) do nothing;
  select k.* into earned from private.commissions k where k.charge_id = charge for update;
  if not found then
    return;
  end if;
  if not earned.is_void and not reading.is_refunded and coalesce(reading.dispute, 'won') = 'won'
    and not private.is_shared_card(charge, earned.affiliate_id) then
    due := (reading.amount - reading.amount_refunded) * earned.rate_basis_points / 10000;
  end if;
  select coalesce(sum(a.amount_pence), 0) into booked from private.commission_amounts a where a.charge_id = charge;
  perform private.book(
    'commission', earned.affiliate_id, charge, null, 'house',
    case when earned.released_at is null then 'pending' else 'payable' end, due - booked
  );
end
$function$;
comment on function private.settle_commission(text) is 'Books what a payment earns by its last reading: nothing once refunded, disputed or paid with a shared card; a share of what is left otherwise.';

CREATE OR REPLACE FUNCTION private.settle_card(charge text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  touched text;
begin
  for touched in
    select charge
    union
    select other.charge_id from private.billing_charges mine
    join private.billing_charges other on other.card_hash = mine.card_hash
    join private.commissions k on k.charge_id = other.charge_id
    where mine.charge_id = charge
    order by 1
  loop
    perform private.settle_commission(touched);
  end loop;
end
$function$;
comment on function private.settle_card(text) is 'Settles a payment and all that earned by the same card, in one order for everybody.';

CREATE OR REPLACE FUNCTION private.tg_billing_charges__settle_commission()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.settle_card(new.charge_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_payment_records__settle_commission()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.settle_card(new.charge_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.release_commissions()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  due private.commissions;
  released integer := 0;
begin
  for due in
    select k.* from private.commissions k where k.released_at is null and k.payable_at <= now()
    order by k.charge_id limit 5000 for update skip locked
  loop
    perform private.book(
      'release', due.affiliate_id, due.charge_id, null, 'pending', 'payable',
      coalesce((select a.pending_pence from private.commission_amounts a where a.charge_id = due.charge_id), 0)
    );
    update private.commissions k set released_at = now() where k.charge_id = due.charge_id;
    released := released + 1;
  end loop;
  return released;
end
$function$;
comment on function private.release_commissions() is 'Makes commissions whose waiting time is over payable; returns how many.';
grant execute on function private.release_commissions() to service_role;

CREATE OR REPLACE FUNCTION public.release_commissions()
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.release_commissions() $function$;
comment on function public.release_commissions() is 'Server: make commissions payable whose waiting time is over.';
grant execute on function public.release_commissions() to service_role;

CREATE OR REPLACE FUNCTION private.tg_affiliates__forfeit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  charge text;
begin
  for charge in
    update private.commissions k set is_void = true
    where k.affiliate_id = old.affiliate_id and k.released_at is null returning k.charge_id
  loop
    perform private.settle_commission(charge);
  end loop;
  perform private.book('forfeit', old.affiliate_id, null, null, 'payable', 'house', b.payable_pence)
  from private.affiliate_balances b where b.affiliate_id = old.affiliate_id and b.payable_pence > 0;
  return old;
end
$function$;

-- affiliate pages

CREATE OR REPLACE FUNCTION private.commission_state(earned private.commissions, amount_pence bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case when amount_pence = 0 then 'taken_back' when earned.released_at is null then 'pending' else 'payable' end
$function$;
comment on function private.commission_state(private.commissions,bigint) is 'pending, payable (or paid out since) or taken_back.';

CREATE OR REPLACE FUNCTION private.my_affiliate()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.require_caller();
  affiliate private.affiliates;
begin
  select a.* into affiliate from private.affiliates a where a.user_id = caller;
  if not found then
    if private.effective_level(caller) < 1 then
      perform private.fail('FF630', 'Your link opens with your membership.');
    end if;
    loop
      insert into private.affiliates (user_id, code) values (caller, private.new_affiliate_code())
      on conflict do nothing;
      select a.* into affiliate from private.affiliates a where a.user_id = caller;
      exit when found;
    end loop;
  end if;
  return (
    select jsonb_build_object(
      'code', affiliate.code,
      'is_open', private.effective_level(caller) >= 1,
      'terms', (select to_jsonb(t) - 'id' from private.affiliate_terms t),
      'visits', (select count(*) from private.affiliate_visits v where v.affiliate_id = affiliate.affiliate_id),
      'sign_ups', (select count(*) from private.referrals r where r.affiliate_id = affiliate.affiliate_id),
      'members', (
        select count(*) from private.referrals r
        where r.affiliate_id = affiliate.affiliate_id and private.has_live_membership(r.user_id)
      ),
      'pending_pence', coalesce(b.pending_pence, 0), 'payable_pence', coalesce(b.payable_pence, 0),
      'paid_pence', coalesce(b.paid_pence, 0),
      'months', coalesce((
        select jsonb_agg(to_jsonb(m) order by m.month desc) from (
          select to_char(t.recorded_at at time zone 'utc', 'YYYY-MM') as month,
            coalesce(sum(e.amount_pence) filter (where t.kind = 'commission' and e.amount_pence > 0), 0) as earned_pence,
            coalesce(-sum(e.amount_pence) filter (where t.kind = 'commission' and e.amount_pence < 0), 0) as taken_back_pence,
            coalesce(sum(e.amount_pence) filter (where t.kind = 'payout' and e.account = 'paid'), 0) as paid_pence
          from private.ledger_transactions t
          join private.ledger_entries e on e.transaction_id = t.id and e.account <> 'house'
          where t.affiliate_id = affiliate.affiliate_id and t.kind <> 'release'
          group by 1 order by 1 desc limit 36
        ) m
      ), '[]'),
      'payouts', coalesce((
        select jsonb_agg(jsonb_build_object('id', p.id, 'amount_pence', p.amount_pence, 'reference', p.reference, 'paid_at', p.paid_at)
          order by p.paid_at desc, p.id desc)
        from private.affiliate_payouts p where p.affiliate_id = affiliate.affiliate_id
      ), '[]')
    )
    from (values (1)) one left join private.affiliate_balances b on b.affiliate_id = affiliate.affiliate_id
  );
end
$function$;
comment on function private.my_affiliate() is 'Link, figures, months (UTC) and payouts of the caller; FF630 for who is no member and never was an affiliate.';
grant execute on function private.my_affiliate() to authenticated;

CREATE OR REPLACE FUNCTION public.my_affiliate()
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.my_affiliate() $function$;
comment on function public.my_affiliate() is 'The caller''s affiliate link and what it earned; made on the first call.';
grant execute on function public.my_affiliate() to authenticated;

CREATE OR REPLACE FUNCTION private.my_commissions(before_time timestamp with time zone, before_charge text)
 RETURNS TABLE(charge_id text, invoice_number text, paid_at timestamp with time zone, payable_at timestamp with time zone, state text, amount_pence bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.require_caller();
begin
  return query
    select k.charge_id, i.number, k.paid_at, k.payable_at, private.commission_state(k, coalesce(m.amount_pence, 0)), coalesce(m.amount_pence, 0)
    from private.affiliates a
    join private.commissions k on k.affiliate_id = a.affiliate_id
    left join public.invoices i on i.invoice_id = k.invoice_id
    left join lateral (select x.amount_pence from private.commission_amounts x where x.charge_id = k.charge_id) m on true
    where a.user_id = caller and (before_time is null or (k.paid_at, k.charge_id) < (before_time, before_charge))
    order by k.paid_at desc, k.charge_id desc limit 50;
end
$function$;
comment on function private.my_commissions(timestamp with time zone,text) is 'Fifty payments that earned for the caller, newest first, without who made them.';
grant execute on function private.my_commissions(timestamp with time zone,text) to authenticated;

CREATE OR REPLACE FUNCTION public.my_commissions(before_time timestamp with time zone DEFAULT NULL::timestamp with time zone, before_charge text DEFAULT NULL::text)
 RETURNS TABLE(charge_id text, invoice_number text, paid_at timestamp with time zone, payable_at timestamp with time zone, state text, amount_pence bigint)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.my_commissions(before_time, before_charge) $function$;
comment on function public.my_commissions(timestamp with time zone,text) is 'Fifty payments that earned for the caller, newest first.';
grant execute on function public.my_commissions(timestamp with time zone,text) to authenticated;

CREATE OR REPLACE FUNCTION private.export_part_affiliates(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'affiliate_link', (select to_jsonb(a) from private.affiliates a where a.user_id = member),
    'referral', (select to_jsonb(r) - 'affiliate_id' from private.referrals r where r.user_id = member),
    'commissions', coalesce((
      select jsonb_agg(jsonb_build_object('paid_at', k.paid_at, 'payable_at', k.payable_at, 'amount_pence', coalesce(m.amount_pence, 0))
        order by k.paid_at, k.charge_id)
      from private.affiliates a join private.commissions k on k.affiliate_id = a.affiliate_id
      left join private.commission_amounts m on m.charge_id = k.charge_id where a.user_id = member
    ), '[]'),
    'affiliate_payouts', coalesce((
      select jsonb_agg(jsonb_build_object('amount_pence', p.amount_pence, 'reference', p.reference, 'paid_at', p.paid_at) order by p.id)
      from private.affiliates a join private.affiliate_payouts p on p.affiliate_id = a.affiliate_id where a.user_id = member
    ), '[]')
  )
$function$;
comment on function private.export_part_affiliates(uuid) is 'Link, commissions and payouts of one account, and when it was brought by somebody''s link.';

-- affiliate payouts

CREATE OR REPLACE FUNCTION private.admin_payouts_due()
 RETURNS TABLE(affiliate_id uuid, user_id uuid, email text, name text, payable_pence bigint, pending_pence bigint, paid_pence bigint, least_pence integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return query
    select a.affiliate_id, a.user_id, d.email, d.name, b.payable_pence, b.pending_pence, b.paid_pence, t.least_payout_pence
    from private.affiliate_balances b
    join private.affiliates a on a.affiliate_id = b.affiliate_id
    join private.member_directory d on d.user_id = a.user_id
    cross join private.affiliate_terms t
    where b.payable_pence <> 0 or b.pending_pence <> 0
    order by b.payable_pence desc, a.affiliate_id limit 1000;
end
$function$;
comment on function private.admin_payouts_due() is 'Affiliates with something pending or payable, the largest amount first.';
grant execute on function private.admin_payouts_due() to authenticated;

CREATE OR REPLACE FUNCTION public.admin_payouts_due()
 RETURNS TABLE(affiliate_id uuid, user_id uuid, email text, name text, payable_pence bigint, pending_pence bigint, paid_pence bigint, least_pence integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.admin_payouts_due() $function$;
comment on function public.admin_payouts_due() is 'Administrators: what is owed to affiliates, in pence.';
grant execute on function public.admin_payouts_due() to authenticated;

CREATE OR REPLACE FUNCTION private.admin_mark_payout(affiliate uuid, amount_pence bigint, reference text)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin constant uuid := private.require_fresh_second_factor();
  known constant text := btrim(reference);
  member uuid;
  balance private.affiliate_balances;
  made bigint;
begin
  if coalesce(char_length(known), 0) not between 1 and 140 then
    perform private.fail('FF631', 'Give the reference of the transfer, at most 140 characters.');
  end if;
  select a.user_id into member from private.affiliates a where a.affiliate_id = affiliate for update;
  if not found then
    perform private.fail('FF632', 'There is no such affiliate any more.');
  end if;
  if member = admin then
    perform private.fail('FF633', 'Another administrator has to mark your own payout.');
  end if;
  select b.* into balance from private.affiliate_balances b where b.affiliate_id = affiliate;
  if amount_pence is null or balance.payable_pence is distinct from amount_pence
    or amount_pence < (select t.least_payout_pence from private.affiliate_terms t) then
    perform private.fail('FF634', 'The amount that is payable has changed. Look again before you transfer it.');
  end if;
  insert into private.affiliate_payouts as p (affiliate_id, amount_pence, reference)
  values (affiliate, admin_mark_payout.amount_pence, known) returning p.id into made;
  perform private.book('payout', affiliate, null, made, 'payable', 'paid', amount_pence);
  perform private.audit(admin, 'affiliate.paid', member, jsonb_build_object(
    'before', jsonb_build_object('payable_pence', balance.payable_pence, 'paid_pence', balance.paid_pence),
    'after', jsonb_build_object('payable_pence', 0, 'paid_pence', balance.paid_pence + amount_pence),
    'payout', made, 'reference', known
  ));
  return made;
end
$function$;
comment on function private.admin_mark_payout(uuid,bigint,text) is 'Records a bank transfer of exactly what is payable; needs a fresh code (FF006, FF007). Audited.';
grant execute on function private.admin_mark_payout(uuid,bigint,text) to authenticated;

CREATE OR REPLACE FUNCTION public.admin_mark_payout(affiliate uuid, amount_pence bigint, reference text)
 RETURNS bigint
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.admin_mark_payout(affiliate, amount_pence, reference) $function$;
comment on function public.admin_mark_payout(uuid,bigint,text) is 'Administrators: record that an affiliate was paid, with the reference of the transfer.';
grant execute on function public.admin_mark_payout(uuid,bigint,text) to authenticated;

-- guarantee

create table private.guarantee_terms (
  id boolean default true not null,
  opened_at timestamp with time zone default now() not null,
  months integer not null,
  income_multiple integer not null,
  least_base_pence integer not null,
  baseline_days integer not null,
  claim_days integer not null,
  check_ins integer not null,
  submissions integer not null,
  messages integer not null,
  articles integer not null,
  constraint guarantee_terms_pkey PRIMARY KEY (id),
  constraint guarantee_terms_id_check CHECK (id)
);
comment on table private.guarantee_terms is 'What the guarantee asks for. The page /guarantee says the same; a test holds the two together.';
comment on column private.guarantee_terms.id is 'Always true, so that there is one row.';
comment on column private.guarantee_terms.opened_at is 'Members who joined before there was a record start on this day.';
comment on column private.guarantee_terms.income_multiple is 'How many times the base the income a month has to become.';
comment on column private.guarantee_terms.least_base_pence is 'A smaller income counts as this much a month: ten times nothing is nothing.';
comment on column private.guarantee_terms.baseline_days is 'From the start, for writing down the base.';
comment on column private.guarantee_terms.claim_days is 'From the end of the months, for a claim.';
alter table private.guarantee_terms enable row level security;

create table private.guarantee_baselines (
  user_id uuid not null,
  started_at timestamp with time zone not null,
  recorded_at timestamp with time zone default now() not null,
  monthly_pence bigint not null,
  source text not null,
  terms jsonb not null,
  constraint guarantee_baselines_pkey PRIMARY KEY (user_id),
  constraint guarantee_baselines_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint guarantee_baselines_monthly_pence_check CHECK (((monthly_pence >= 0) AND (monthly_pence <= 100000000))),
  constraint guarantee_baselines_source_check CHECK (((char_length(source) >= 1) AND (char_length(source) <= 200)))
);
comment on table private.guarantee_baselines is 'What members earned when they started. Read by the member alone.';
comment on column private.guarantee_baselines.started_at is 'The six months are counted from here.';
comment on column private.guarantee_baselines.monthly_pence is 'Income a month.';
comment on column private.guarantee_baselines.source is 'Where the income came from, in the member''s words.';
comment on column private.guarantee_baselines.terms is 'The row of guarantee_terms that was in force. Later terms do not change it.';
alter table private.guarantee_baselines enable row level security;

create table private.guarantee_check_ins (
  user_id uuid not null,
  month_number integer not null,
  monthly_pence bigint not null,
  recorded_at timestamp with time zone default now() not null,
  constraint guarantee_check_ins_pkey PRIMARY KEY (user_id, month_number),
  constraint guarantee_check_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint guarantee_check_ins_month_number_check CHECK ((month_number >= 1)),
  constraint guarantee_check_ins_monthly_pence_check CHECK (((monthly_pence >= 0) AND (monthly_pence <= 100000000)))
);
comment on table private.guarantee_check_ins is 'What members earned in each month since they started. Read by the member alone.';
comment on column private.guarantee_check_ins.month_number is '1 for the month that began with started_at.';
alter table private.guarantee_check_ins enable row level security;

CREATE OR REPLACE FUNCTION private.guarantee_start(member uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select greatest(min(p.started_at), (select t.opened_at from private.guarantee_terms t))
  from private.membership_periods p where p.user_id = member having count(*) > 0
$function$;
comment on function private.guarantee_start(uuid) is 'When the guarantee starts for an account: with its first membership. Null without one.';

CREATE OR REPLACE FUNCTION private.guarantee_month(started_at timestamp with time zone, at_time timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select count(*)::integer from generate_series(0, 120) n
  where (started_at at time zone 'utc') + n * interval '1 month' <= at_time at time zone 'utc'
$function$;
comment on function private.guarantee_month(timestamp with time zone,timestamp with time zone) is 'Which month since the start a moment is in: 1 for the first, 0 before it.';

CREATE OR REPLACE FUNCTION private.guarantee_end(baseline private.guarantee_baselines)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select ((baseline.started_at at time zone 'utc') + (baseline.terms ->> 'months')::integer * interval '1 month') at time zone 'utc'
$function$;
comment on function private.guarantee_end(private.guarantee_baselines) is 'When the months of a record are over.';

CREATE OR REPLACE FUNCTION private.guarantee_lines(member uuid, at_time timestamp with time zone)
 RETURNS TABLE(line text, needed integer, held integer, met boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with record as (
    select b.terms, b.started_at, least(private.guarantee_end(b), at_time) as until
    from private.guarantee_baselines b where b.user_id = member
  ), events as (
    select l.kind, count(*)::integer as events
    from record r join private.progress_ledger l
      on l.user_id = member and l.happened_at >= r.started_at and l.happened_at < r.until
    group by l.kind
  ), lines as (
    select 1 as place, 'check_ins' as line, (r.terms ->> 'check_ins')::integer as needed, (
      select count(*)::integer from private.guarantee_check_ins c where c.user_id = member
    ) as held
    from record r
    union all
    select k.place, k.line, (r.terms ->> k.line)::integer, coalesce((select e.events from events e where e.kind = k.kind), 0)
    from record r, (values (2, 'submissions', 'submission'), (3, 'messages', 'message'), (4, 'articles', 'article_read')) k (place, line, kind)
  )
  select l.line, l.needed, l.held, l.held >= l.needed from lines l order by l.place
$function$;
comment on function private.guarantee_lines(uuid,timestamp with time zone) is 'What the terms of a member''s record ask for, what is on record by then, and whether it is enough. Nothing without a baseline.';

CREATE OR REPLACE FUNCTION private.export_part_guarantee(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'guarantee_baseline', (select to_jsonb(b) from private.guarantee_baselines b where b.user_id = member),
    'guarantee_check_ins', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.month_number) from private.guarantee_check_ins c where c.user_id = member
    ), '[]'),
    'guarantee_claim', (select to_jsonb(c) - 'decided_by' from private.guarantee_claims c where c.user_id = member)
  )
$function$;
comment on function private.export_part_guarantee(uuid) is 'Baseline, check-ins and claim of one account.';

-- guarantee record

CREATE OR REPLACE FUNCTION private.my_guarantee()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.require_caller();
  terms private.guarantee_terms;
  baseline private.guarantee_baselines;
  started_at timestamptz := private.guarantee_start(caller);
  month_now integer;
begin
  select b.* into baseline from private.guarantee_baselines b where b.user_id = caller;
  if found then
    started_at := baseline.started_at;
    terms := jsonb_populate_record(null::private.guarantee_terms, baseline.terms);
  else
    select t.* into terms from private.guarantee_terms t;
  end if;
  if started_at is null then
    return null;
  end if;
  month_now := private.guarantee_month(started_at, now());
  return jsonb_build_object(
    'started_at', started_at,
    'baseline_until', started_at + terms.baseline_days * interval '1 day',
    'is_baseline_open', now() < started_at + terms.baseline_days * interval '1 day',
    'terms', to_jsonb(terms) - 'id' - 'opened_at',
    'baseline', case when baseline.user_id is null then null else jsonb_build_object(
      'monthly_pence', baseline.monthly_pence, 'source', baseline.source,
      'target_pence', terms.income_multiple * greatest(baseline.monthly_pence, terms.least_base_pence),
      'ends_at', private.guarantee_end(baseline),
      'claim_until', private.guarantee_end(baseline) + terms.claim_days * interval '1 day',
      'month', least(month_now, terms.months + 1)
    ) end,
    'check_ins', coalesce((
      select jsonb_agg(jsonb_build_object('month', c.month_number, 'monthly_pence', c.monthly_pence) order by c.month_number)
      from private.guarantee_check_ins c where c.user_id = caller
    ), '[]'),
    'lines', coalesce((select jsonb_agg(to_jsonb(l)) from private.guarantee_lines(caller, now()) l), '[]')
  );
end
$function$;
comment on function private.my_guarantee() is 'The caller''s record: start, terms, baseline, check-ins and lines. Null for an account that never had a paid membership.';
grant execute on function private.my_guarantee() to authenticated;

CREATE OR REPLACE FUNCTION public.my_guarantee()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.my_guarantee() $function$;
comment on function public.my_guarantee() is 'The caller''s record of the guarantee. Null for an account that never had a paid membership.';
grant execute on function public.my_guarantee() to authenticated;

CREATE OR REPLACE FUNCTION private.require_income(monthly_pence bigint)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if monthly_pence is null or monthly_pence not between 0 and 100000000 then
    perform private.fail('FF672', 'An income a month is between £0 and £1,000,000.');
  end if;
end
$function$;
comment on function private.require_income(bigint) is 'FF672 for an income outside of what a record takes.';

CREATE OR REPLACE FUNCTION private.record_guarantee_baseline(monthly_pence bigint, source text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.require_caller();
  terms private.guarantee_terms;
  started_at constant timestamptz := private.guarantee_start(caller);
begin
  select t.* into terms from private.guarantee_terms t;
  if started_at is null then
    perform private.fail('FF670', 'The guarantee starts with your membership.');
  end if;
  if now() >= started_at + terms.baseline_days * interval '1 day' then
    perform private.fail('FF671', 'The first week is over, so where you started can no longer be written down.');
  end if;
  perform private.require_income(monthly_pence);
  if coalesce(char_length(btrim(source)), 0) not between 1 and 200 then
    perform private.fail('FF673', 'Say in up to 200 characters where the income comes from.');
  end if;
  perform private.enforce_rate_limit(caller, 'guarantee');
  insert into private.guarantee_baselines as b (user_id, started_at, monthly_pence, source, terms)
  values (caller, started_at, record_guarantee_baseline.monthly_pence, btrim(record_guarantee_baseline.source), to_jsonb(terms))
  on conflict (user_id) do update
    set monthly_pence = excluded.monthly_pence, source = excluded.source, recorded_at = now();
end
$function$;
comment on function private.record_guarantee_baseline(bigint,text) is 'Writes down where the caller starts, with the terms of the day. It can be corrected until the first week is over (FF671).';
grant execute on function private.record_guarantee_baseline(bigint,text) to authenticated;

CREATE OR REPLACE FUNCTION public.record_guarantee_baseline(monthly_pence bigint, source text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_guarantee_baseline(monthly_pence, source) $function$;
comment on function public.record_guarantee_baseline(bigint,text) is 'Writes down what the caller earns a month, in the first week.';
grant execute on function public.record_guarantee_baseline(bigint,text) to authenticated;

CREATE OR REPLACE FUNCTION private.record_guarantee_check_in(monthly_pence bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.require_caller();
  baseline private.guarantee_baselines;
begin
  select b.* into baseline from private.guarantee_baselines b where b.user_id = caller;
  if not found then
    perform private.fail('FF674', 'There is no record of where you started.');
  end if;
  if now() >= private.guarantee_end(baseline) then
    perform private.fail('FF675', 'The months of your record are over.');
  end if;
  perform private.require_income(monthly_pence);
  perform private.enforce_rate_limit(caller, 'guarantee');
  insert into private.guarantee_check_ins as c (user_id, month_number, monthly_pence)
  values (caller, private.guarantee_month(baseline.started_at, now()), record_guarantee_check_in.monthly_pence)
  on conflict (user_id, month_number) do update set monthly_pence = excluded.monthly_pence, recorded_at = now();
end
$function$;
comment on function private.record_guarantee_check_in(bigint) is 'Writes down what the caller earned in the month that is running. It can be corrected until that month is over.';
grant execute on function private.record_guarantee_check_in(bigint) to authenticated;

CREATE OR REPLACE FUNCTION public.record_guarantee_check_in(monthly_pence bigint)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_guarantee_check_in(monthly_pence) $function$;
comment on function public.record_guarantee_check_in(bigint) is 'Writes down what the caller earned in the running month.';
grant execute on function public.record_guarantee_check_in(bigint) to authenticated;

-- guarantee claims

create table private.guarantee_claims (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  monthly_pence bigint not null,
  statement text not null,
  lines jsonb not null,
  state text not null,
  filed_at timestamp with time zone default now() not null,
  reason text,
  decided_at timestamp with time zone,
  decided_by uuid,
  appeal text,
  appealed_at timestamp with time zone,
  constraint guarantee_claims_user_id_key UNIQUE (user_id),
  constraint guarantee_claims_pkey PRIMARY KEY (id),
  constraint guarantee_claims_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint guarantee_claims_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint guarantee_claims_appeal_check CHECK (((char_length(appeal) >= 1) AND (char_length(appeal) <= 2000))),
  constraint guarantee_claims_appealed_check CHECK (((appeal IS NULL) = (appealed_at IS NULL))),
  constraint guarantee_claims_monthly_pence_check CHECK (((monthly_pence >= 0) AND (monthly_pence <= 100000000))),
  constraint guarantee_claims_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500))),
  constraint guarantee_claims_state_check CHECK ((state = ANY (ARRAY['filed'::text, 'declined'::text, 'appealed'::text, 'granted'::text, 'refused'::text]))),
  constraint guarantee_claims_statement_check CHECK (((char_length(statement) >= 1) AND (char_length(statement) <= 2000)))
);
comment on table private.guarantee_claims is 'A member''s one claim under the guarantee. Read by the member, and by administrators while they decide.';
comment on column private.guarantee_claims.monthly_pence is 'Income a month at the end, as the member states it.';
comment on column private.guarantee_claims.statement is 'What the member says about it, and where the evidence is.';
comment on column private.guarantee_claims.lines is 'What the terms ask for and what was on record when the claim was filed, as guarantee_claim_lines counts it.';
comment on column private.guarantee_claims.state is 'filed and appealed wait for an administrator. declined can be appealed against once; refused is the answer to an appeal.';
comment on column private.guarantee_claims.reason is 'Why the last decision was made. Null while the rules alone declined.';
comment on column private.guarantee_claims.decided_by is 'Null when the rules declined.';
CREATE INDEX guarantee_claims_decided_by_idx ON private.guarantee_claims USING btree (decided_by);
CREATE INDEX guarantee_claims_waiting_idx ON private.guarantee_claims USING btree (filed_at) WHERE (state = ANY (ARRAY['filed'::text, 'appealed'::text]));
alter table private.guarantee_claims enable row level security;
CREATE TRIGGER guarantee_claims__email AFTER INSERT OR UPDATE OF state ON private.guarantee_claims FOR EACH ROW WHEN ((new.state = ANY (ARRAY['granted'::text, 'declined'::text, 'refused'::text]))) EXECUTE FUNCTION private.tg_guarantee_claims__email();

CREATE OR REPLACE FUNCTION private.guarantee_claim_lines(baseline private.guarantee_baselines, claimed bigint)
 RETURNS TABLE(line text, needed bigint, held bigint, met boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select l.line, l.needed::bigint, l.held::bigint, l.met from private.guarantee_lines(baseline.user_id, private.guarantee_end(baseline)) l
  union all
  select 'income', i.target, i.held, i.held < i.target
  from (
    select (baseline.terms ->> 'income_multiple')::bigint
        * greatest(baseline.monthly_pence, (baseline.terms ->> 'least_base_pence')::bigint) as target,
      greatest(claimed, (
        select c.monthly_pence from private.guarantee_check_ins c
        where c.user_id = baseline.user_id order by c.month_number desc limit 1
      )) as held
  ) i
$function$;
comment on function private.guarantee_claim_lines(private.guarantee_baselines,bigint) is 'The lines of a record at its end, and the income: a claim holds while it is below the aim.';

CREATE OR REPLACE FUNCTION private.claim_answer(claim private.guarantee_claims)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', claim.id, 'state', claim.state, 'monthly_pence', claim.monthly_pence, 'statement', claim.statement,
    'lines', claim.lines, 'filed_at', claim.filed_at, 'reason', claim.reason, 'decided_at', claim.decided_at,
    'appeal', claim.appeal, 'appealed_at', claim.appealed_at
  )
$function$;
comment on function private.claim_answer(private.guarantee_claims) is 'A claim as it is answered, without who decided.';

CREATE OR REPLACE FUNCTION private.require_statement(said text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  if coalesce(char_length(btrim(said)), 0) not between 1 and 2000 then
    perform private.fail('FF676', 'Write something, up to 2,000 characters.');
  end if;
  return btrim(said);
end
$function$;
comment on function private.require_statement(text) is 'The text without spaces around it; FF676 when it is empty or too long.';

CREATE OR REPLACE FUNCTION private.file_guarantee_claim(monthly_pence bigint, statement text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.require_caller();
  baseline private.guarantee_baselines;
  ended timestamptz;
  counted jsonb;
  filed private.guarantee_claims;
begin
  -- Of two claims at once the second finds the first.
  select b.* into baseline from private.guarantee_baselines b where b.user_id = caller for update;
  if not found then
    perform private.fail('FF674', 'There is no record of where you started.');
  end if;
  ended := private.guarantee_end(baseline);
  if now() < ended or now() >= ended + (baseline.terms ->> 'claim_days')::integer * interval '1 day' then
    perform private.fail('FF677', 'A claim is made after the months are over, within the days the terms say.');
  end if;
  if exists (select from private.guarantee_claims c where c.user_id = caller) then
    perform private.fail('FF678', 'You have made your claim already.');
  end if;
  perform private.require_income(monthly_pence);
  perform private.enforce_rate_limit(caller, 'guarantee');
  select jsonb_agg(to_jsonb(l)) into counted
  from private.guarantee_claim_lines(baseline, file_guarantee_claim.monthly_pence) l;
  insert into private.guarantee_claims as c (user_id, monthly_pence, statement, lines, state, decided_at)
  select caller, file_guarantee_claim.monthly_pence, private.require_statement(file_guarantee_claim.statement), counted,
    case when v.all_met then 'filed' else 'declined' end, case when v.all_met then null else now() end
  from (select bool_and((l ->> 'met')::boolean) as all_met from jsonb_array_elements(counted) l) v
  returning c.* into filed;
  return private.claim_answer(filed);
end
$function$;
comment on function private.file_guarantee_claim(bigint,text) is 'Makes the caller''s claim. Declined at once when a line is not met; waits for an administrator otherwise. FF674, FF676–FF678.';
grant execute on function private.file_guarantee_claim(bigint,text) to authenticated;

CREATE OR REPLACE FUNCTION private.appeal_guarantee_claim(appeal text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.require_caller();
  said constant text := private.require_statement(appeal);
  appealed private.guarantee_claims;
begin
  perform private.enforce_rate_limit(caller, 'guarantee');
  update private.guarantee_claims c set state = 'appealed', appeal = said, appealed_at = now()
  where c.user_id = caller and c.state = 'declined' and c.decided_at > now() - interval '30 days'
  returning c.* into appealed;
  if not found then
    perform private.fail('FF679', 'An appeal is made once, within 30 days after a claim was declined.');
  end if;
  return private.claim_answer(appealed);
end
$function$;
comment on function private.appeal_guarantee_claim(text) is 'The caller''s one appeal against a declined claim, within 30 days (FF679).';
grant execute on function private.appeal_guarantee_claim(text) to authenticated;

CREATE OR REPLACE FUNCTION private.my_guarantee_claim()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.claim_answer(c) from private.guarantee_claims c where c.user_id = private.require_caller()
$function$;
comment on function private.my_guarantee_claim() is 'The caller''s claim; null when none was made.';
grant execute on function private.my_guarantee_claim() to authenticated;

CREATE OR REPLACE FUNCTION public.file_guarantee_claim(monthly_pence bigint, statement text)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.file_guarantee_claim(monthly_pence, statement) $function$;
comment on function public.file_guarantee_claim(bigint,text) is 'Makes the caller''s claim under the guarantee; its state and lines.';
grant execute on function public.file_guarantee_claim(bigint,text) to authenticated;

CREATE OR REPLACE FUNCTION public.appeal_guarantee_claim(appeal text)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.appeal_guarantee_claim(appeal) $function$;
comment on function public.appeal_guarantee_claim(text) is 'Appeals once against a declined claim.';
grant execute on function public.appeal_guarantee_claim(text) to authenticated;

CREATE OR REPLACE FUNCTION public.my_guarantee_claim()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.my_guarantee_claim() $function$;
comment on function public.my_guarantee_claim() is 'The caller''s claim under the guarantee; null when none was made.';
grant execute on function public.my_guarantee_claim() to authenticated;

-- guarantee decisions

CREATE OR REPLACE FUNCTION private.guarantee_queue()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return (
    select coalesce(jsonb_agg(private.claim_answer(c) || jsonb_build_object(
      'user_id', c.user_id, 'first_name', p.first_name, 'last_name', p.last_name, 'email', u.email,
      'baseline', (
        select jsonb_build_object('monthly_pence', b.monthly_pence, 'source', b.source, 'started_at', b.started_at, 'check_ins', (
          select coalesce(jsonb_agg(jsonb_build_object('month', k.month_number, 'monthly_pence', k.monthly_pence)
            order by k.month_number), '[]')
          from private.guarantee_check_ins k where k.user_id = c.user_id
        ))
        from private.guarantee_baselines b where b.user_id = c.user_id
      ),
      'to_refund', (select count(*) from private.guarantee_refunds(c) r)
    ) order by coalesce(c.appealed_at, c.filed_at), c.id), '[]')
    from private.guarantee_claims c
    join public.profiles p on p.id = c.user_id
    join auth.users u on u.id = c.user_id
    where c.state in ('filed', 'appealed')
      or (c.state = 'granted' and exists (select from private.guarantee_refunds(c)))
  );
end
$function$;
comment on function private.guarantee_queue() is 'Claims that wait for a decision, and granted ones with payments left to refund, oldest first. For administrators with a second factor.';
grant execute on function private.guarantee_queue() to authenticated;

CREATE OR REPLACE FUNCTION private.guarantee_refunds(claim private.guarantee_claims)
 RETURNS TABLE(request_id uuid, payment_id text, amount_pence bigint, reason text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(q.id, md5(concat_ws(':', claim.id, b.charge_id, (
      select count(*) from private.refund_requests f where f.charge_id = b.charge_id and f.state in ('made', 'failed', 'refused')
    )))::uuid),
    b.charge_id, coalesce(q.amount_pence, b.amount - b.amount_refunded), coalesce(q.reason, 'Guarantee')
  from public.stripe_customers s
  join private.billing_charges b on b.customer_id = s.customer_id
  left join private.refund_requests q on q.charge_id = b.charge_id and q.state in ('started', 'unclear')
  where s.user_id = claim.user_id and claim.state = 'granted'
    and b.amount > b.amount_refunded and coalesce(b.dispute, 'won') = 'won'
    -- The renewal may take a last payment before it is stopped. What a member buys later is no part of the guarantee.
    and not exists (
      select from private.payment_records p
      where p.charge_id = b.charge_id and p.kind = 'payment' and p.happened_at > claim.decided_at + interval '7 days'
    )
  order by b.charge_id
$function$;
comment on function private.guarantee_refunds(private.guarantee_claims) is 'What is left to refund of a granted claim: each payment up to a week after the decision that is neither refunded nor disputed.';

CREATE OR REPLACE FUNCTION private.decide_guarantee_claim(claim_id uuid, is_granted boolean, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin constant uuid := private.require_fresh_second_factor();
  why constant text := private.require_act_reason(reason);
  claim private.guarantee_claims;
  plan constant text := (
    select s.id from private.guarantee_claims c join public.profiles p on p.id = c.user_id
    join public.plans s on s.role = case p.role when 'mentor' then 'mentor' else 'student' end where c.id = claim_id
  );
  outcome text;
begin
  select c.* into claim from private.guarantee_claims c where c.id = claim_id for update;
  if not found then
    perform private.fail('FF680', 'There is no such claim.');
  end if;
  if claim.user_id = admin then
    perform private.fail('FF681', 'Another administrator has to decide about your own claim.');
  end if;
  if claim.state not in ('filed', 'appealed') then
    perform private.fail('FF682', 'This claim has been decided already.');
  end if;
  if claim.state = 'appealed' and claim.decided_by = admin then
    perform private.fail('FF683', 'Another administrator has to decide about the appeal.');
  end if;
  outcome := case when is_granted then 'granted' when claim.state = 'appealed' then 'refused' else 'declined' end;
  update private.guarantee_claims c set state = outcome, reason = why, decided_at = now(), decided_by = admin where c.id = claim_id;
  if is_granted then
    update public.complimentary_memberships m set ended_at = m.ends_at
    where m.user_id = claim.user_id and m.ended_at is null and m.ends_at <= now();
    update public.complimentary_memberships m set ends_at = null where m.user_id = claim.user_id and m.ended_at is null;
    if not found then
      insert into public.complimentary_memberships (user_id, plan_id, reason) values (claim.user_id, plan, 'Guarantee');
    end if;
    perform private.set_role_from_plan(claim.user_id, private.plan_role(claim.user_id));
  end if;
  perform private.audit(admin, 'guarantee.decided', claim.user_id, jsonb_build_object(
    'claim', claim_id, 'before', jsonb_build_object('state', claim.state), 'after', jsonb_build_object('state', outcome), 'reason', why
  ));
end
$function$;
comment on function private.decide_guarantee_claim(uuid,boolean,text) is 'Grants or declines a claim, with a fresh code of the second factor. Granted: an open-ended membership at once; the refunds follow. FF680–FF683. Audited.';
grant execute on function private.decide_guarantee_claim(uuid,boolean,text) to authenticated;

CREATE OR REPLACE FUNCTION private.guarantee_settlement(claim_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  claim private.guarantee_claims;
begin
  perform private.require_fresh_second_factor();
  select c.* into claim from private.guarantee_claims c where c.id = claim_id and c.state = 'granted';
  if not found then
    perform private.fail('FF680', 'There is no such claim.');
  end if;
  return jsonb_build_object('member_id', claim.user_id, 'refunds', (
    select coalesce(jsonb_agg(to_jsonb(r)), '[]') from private.guarantee_refunds(claim) r
  ));
end
$function$;
comment on function private.guarantee_settlement(uuid) is 'The member of a granted claim and the refunds still owed, for an administrator with a fresh code. FF680.';
grant execute on function private.guarantee_settlement(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.guarantee_queue()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.guarantee_queue() $function$;
comment on function public.guarantee_queue() is 'Administrators: claims under the guarantee that wait.';
grant execute on function public.guarantee_queue() to authenticated;

CREATE OR REPLACE FUNCTION public.decide_guarantee_claim(claim_id uuid, is_granted boolean, reason text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.decide_guarantee_claim(claim_id, is_granted, reason) $function$;
comment on function public.decide_guarantee_claim(uuid,boolean,text) is 'Administrators: grant or decline a claim, with a reason.';
grant execute on function public.decide_guarantee_claim(uuid,boolean,text) to authenticated;

CREATE OR REPLACE FUNCTION public.guarantee_settlement(claim_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.guarantee_settlement(claim_id) $function$;
comment on function public.guarantee_settlement(uuid) is 'Administrators: what a granted claim is still owed; the function admin-settle-guarantee asks the card provider.';
grant execute on function public.guarantee_settlement(uuid) to authenticated;

-- guarantee emails

CREATE OR REPLACE FUNCTION private.tg_guarantee_claims__email()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.enqueue_email(
    new.user_id, case when new.state = 'granted' then 'guarantee_granted' else 'guarantee_declined' end,
    concat_ws(':', 'guarantee', new.id, new.state),
    jsonb_build_object('reason', new.reason, 'appeal_until', case when new.state = 'declined' then new.decided_at + interval '30 days' end)
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.queue_guarantee_reminders()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    d.user_id, d.template, concat_ws(':', d.template, d.user_id, d.month_number), jsonb_build_object('until', d.until)
  )) into queued
  from (
    select b.user_id, 'guarantee_check_in' as template, m.month_number,
      ((b.started_at at time zone 'utc') + m.month_number * interval '1 month') at time zone 'utc' as until
    from private.guarantee_baselines b, private.guarantee_month(b.started_at, now()) m (month_number)
    where now() < private.guarantee_end(b)
      and not exists (
        select from private.guarantee_check_ins c where c.user_id = b.user_id and c.month_number = m.month_number
      )
    union all
    select b.user_id, 'guarantee_claim_open', null, private.guarantee_end(b) + (b.terms ->> 'claim_days')::integer * interval '1 day'
    from private.guarantee_baselines b
    where now() >= private.guarantee_end(b)
      and not exists (select from private.guarantee_claims c where c.user_id = b.user_id)
      and not exists (select from private.guarantee_lines(b.user_id, private.guarantee_end(b)) l where not l.met)
  ) d
  where d.until > now() and (d.template = 'guarantee_claim_open' or d.until < now() + interval '7 days')
    and private.has_live_membership(d.user_id);
  return queued;
end
$function$;
comment on function private.queue_guarantee_reminders() is 'Queues an e-mail in the last week of a month without a check-in, and one when a claim can be made; their number.';
grant execute on function private.queue_guarantee_reminders() to service_role;

CREATE OR REPLACE FUNCTION public.queue_guarantee_reminders()
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.queue_guarantee_reminders() $function$;
comment on function public.queue_guarantee_reminders() is 'Server: queue the e-mails about check-ins and claims under the guarantee.';
grant execute on function public.queue_guarantee_reminders() to service_role;

-- content questions

create table private.content_questions (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  article_id uuid,
  module_id uuid,
  question text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  answer text,
  answered_by uuid,
  answered_at timestamp with time zone,
  constraint content_questions_pkey PRIMARY KEY (id),
  constraint content_questions_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint content_questions_article_id_fkey FOREIGN KEY (article_id) REFERENCES public.articles(id) ON DELETE CASCADE,
  constraint content_questions_module_id_fkey FOREIGN KEY (module_id) REFERENCES public.course_modules(id) ON DELETE CASCADE,
  constraint content_questions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint content_questions_answer_check CHECK (((char_length(answer) >= 1) AND (char_length(answer) <= 4000))),
  constraint content_questions_answered_check CHECK (((answer IS NULL) = (answered_at IS NULL))),
  constraint content_questions_question_check CHECK (((char_length(question) >= 1) AND (char_length(question) <= 1000))),
  constraint content_questions_text_check CHECK ((num_nonnulls(article_id, module_id) = 1))
);
comment on table private.content_questions is 'Questions of members under an article or a lesson, each with its answer.';
comment on column private.content_questions.user_id is 'Who asked.';
comment on column private.content_questions.module_id is 'The lesson of a course; null under an article.';
comment on column private.content_questions.answered_by is 'Who answered; null when that account is gone.';
CREATE INDEX content_questions_answered_by_idx ON private.content_questions USING btree (answered_by);
CREATE INDEX content_questions_article_id_idx ON private.content_questions USING btree (article_id, created_at);
CREATE INDEX content_questions_module_id_idx ON private.content_questions USING btree (module_id, created_at);
CREATE INDEX content_questions_user_id_idx ON private.content_questions USING btree (user_id);
CREATE INDEX content_questions_waiting_idx ON private.content_questions USING btree (created_at) WHERE (answer IS NULL);
alter table private.content_questions enable row level security;
CREATE TRIGGER content_questions__notify_answer AFTER UPDATE OF answer ON private.content_questions FOR EACH ROW WHEN (((old.answer IS NULL) AND (new.answer IS NOT NULL))) EXECUTE FUNCTION private.tg_content_questions__notify();
CREATE TRIGGER content_questions__notify_question AFTER INSERT ON private.content_questions FOR EACH ROW EXECUTE FUNCTION private.tg_content_questions__notify();
CREATE TRIGGER content_questions__uncount AFTER DELETE ON private.content_questions REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.tg_content_questions__uncount();

CREATE OR REPLACE FUNCTION private.text_author(article uuid, module uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select a.author_id from public.articles a where a.id = article
  union all
  select c.mentor_id from public.course_modules m join public.courses c on c.id = m.course_id where m.id = module
$function$;
comment on function private.text_author(uuid,uuid) is 'Who wrote an article or lesson; null for those of the house.';

CREATE OR REPLACE FUNCTION private.may_read_text(member uuid, article uuid, module uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  allowed constant text[] := private.open_categories(private.effective_level(member));
begin
  return private.text_author(article, module) = member is true
    or exists (select from public.profiles p where p.id = member and p.role = 'admin')
      and (exists (select from public.articles a where a.id = article)
        or exists (select from public.course_modules m where m.id = module))
    or exists (
      select from public.articles a join public.subcategories s on s.id = a.subcategory_id
      where a.id = article and a.is_published and s.is_active and s.main_category = any (allowed)
    )
    or exists (
      select from public.course_modules m
      join public.courses c on c.id = m.course_id
      join public.subcategories s on s.id = c.subcategory_id
      join public.course_enrollments e on e.course_id = c.id and e.user_id = member
      where m.id = module and m.is_published and c.is_published and s.is_active and s.main_category = any (allowed)
    );
end
$function$;
comment on function private.may_read_text(uuid,uuid,uuid) is 'True when the account may read the article or lesson now.';

CREATE OR REPLACE FUNCTION private.may_answer(member uuid, article uuid, module uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.is_mentor(member) and (
    private.text_author(article, module) = member is true
    or exists (select from public.profiles p where p.id = member and p.role = 'admin')
  )
$function$;
comment on function private.may_answer(uuid,uuid,uuid) is 'True for the mentor of a text while the membership lives, and for administrators.';

CREATE OR REPLACE FUNCTION private.require_question_text(content text, longest integer)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  trimmed text := private.trimmed_message(content);
begin
  if trimmed is null or private.is_blank(trimmed) or char_length(trimmed) > longest then
    perform private.fail('FF721', format('Write between 1 and %s characters.', longest));
  end if;
  return trimmed;
end
$function$;
comment on function private.require_question_text(text,integer) is 'The trimmed text; raises FF721 when it is empty or too long.';

CREATE OR REPLACE FUNCTION private.ask_question(article uuid, module uuid, content text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  trimmed text := private.require_question_text(content, 1000);
  asked uuid;
begin
  if num_nonnulls(article, module) <> 1 or not private.caller_is_member()
    or not private.may_read_text(caller, article, module) then
    perform private.fail('FF720', 'This text is not open to you.');
  end if;
  if private.text_author(article, module) = caller then
    perform private.fail('FF722', 'This is your own text.');
  end if;
  perform private.enforce_rate_limit(caller, 'ask');
  insert into private.content_questions (user_id, article_id, module_id, question)
  values (caller, article, module, trimmed) returning id into asked;
  return asked;
end
$function$;
comment on function private.ask_question(uuid,uuid,text) is 'Asks under an article or lesson the caller may read; raises FF720, FF721, FF722 or FF300.';
grant execute on function private.ask_question(uuid,uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.ask_question(question text, article_id uuid DEFAULT NULL::uuid, module_id uuid DEFAULT NULL::uuid)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.ask_question(article_id, module_id, question) $function$;
comment on function public.ask_question(text,uuid,uuid) is 'Asks the mentor of one article or one lesson.';
grant execute on function public.ask_question(text,uuid,uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.answer_question(question_id uuid, content text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  trimmed text := private.require_question_text(content, 4000);
begin
  if not exists (
    select from private.content_questions q
    where q.id = question_id and private.may_answer(caller, q.article_id, q.module_id)
  ) then
    perform private.fail('FF723', 'This question is not yours to answer.');
  end if;
  perform private.enforce_rate_limit(caller, 'answer');
  update private.content_questions q
  set answer = trimmed, answered_by = caller, answered_at = clock_timestamp() where q.id = question_id;
end
$function$;
comment on function private.answer_question(uuid,text) is 'Answers a question under the caller''s own text, or any as an administrator; raises FF721, FF723 or FF300.';
grant execute on function private.answer_question(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.answer_question(question_id uuid, answer text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.answer_question(question_id, answer) $function$;
comment on function public.answer_question(uuid,text) is 'The mentor of a text, or an administrator, answers a question.';
grant execute on function public.answer_question(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION private.delete_question(question_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
begin
  delete from private.content_questions q where q.id = question_id and q.user_id = caller;
end
$function$;
comment on function private.delete_question(uuid) is 'Deletes a question of the caller with its answer.';
grant execute on function private.delete_question(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.delete_question(question_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.delete_question(question_id) $function$;
comment on function public.delete_question(uuid) is 'Deletes one''s own question with its answer.';
grant execute on function public.delete_question(uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.remove_question(question_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_admin();
  gone private.content_questions;
begin
  delete from private.content_questions q where q.id = question_id returning q.* into gone;
  if gone.id is null then
    perform private.fail('FF724', 'This question is no longer here.');
  end if;
  perform private.audit(admin, 'question.removed', gone.user_id, jsonb_build_object(
    'question_id', gone.id, 'article_id', gone.article_id, 'module_id', gone.module_id,
    'before', case when gone.answer is null then 'open' else 'answered' end, 'after', 'removed'
  ));
end
$function$;
comment on function private.remove_question(uuid) is 'Removes a question with its answer; FF724 when there is none. Audited without its words.';
grant execute on function private.remove_question(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.remove_question(question_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.remove_question(question_id) $function$;
comment on function public.remove_question(uuid) is 'Administrators: remove a question with its answer.';
grant execute on function public.remove_question(uuid) to authenticated;

-- question reading

CREATE OR REPLACE FUNCTION private.questions_of(article uuid, module uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
  answers constant boolean := private.may_answer(caller, article, module);
  is_admin constant boolean := private.caller_is_admin();
begin
  if num_nonnulls(article, module) <> 1 or not private.may_read_text(caller, article, module) then
    perform private.fail('FF720', 'This text is not open to you.');
  end if;
  return jsonb_build_object(
    'may_ask', private.caller_is_member() and private.text_author(article, module) is distinct from caller,
    'may_answer', answers,
    'may_remove', is_admin,
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', q.id, 'question', q.question, 'created_at', q.created_at, 'is_own', q.user_id = caller,
        'asker', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = q.user_id),
        'answer', q.answer, 'answered_at', q.answered_at,
        'answerer', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = q.answered_by)
      ) order by q.is_waiting desc, q.created_at desc, q.id)
      from (
        select o.*, (answers and o.answer is null) as is_waiting from private.content_questions o
        where (o.article_id = article or o.module_id = module)
          and (is_admin or not private.is_blocked_between(caller, o.user_id))
        order by is_waiting desc, o.created_at desc, o.id limit 100
      ) q
    ), '[]')
  );
end
$function$;
comment on function private.questions_of(uuid,uuid) is 'The newest 100 questions under a text the caller may read; raises FF720 otherwise.';
grant execute on function private.questions_of(uuid,uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.questions_of(article_id uuid DEFAULT NULL::uuid, module_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.questions_of(article_id, module_id) $function$;
comment on function public.questions_of(uuid,uuid) is 'Questions under one article or one lesson, with what the caller may do there.';
grant execute on function public.questions_of(uuid,uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.tg_content_questions__notify()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  author constant uuid := private.text_author(new.article_id, new.module_id);
  has_mentor constant boolean := coalesce(private.is_mentor(author), false);
begin
  if tg_op = 'INSERT' then
    insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
    select r.id, 'question', new.user_id, new.id, new.id from public.profiles r
    where r.id <> new.user_id and case when has_mentor then r.id = author else r.role = 'admin' end
    for key share skip locked
    on conflict do nothing;
  else
    insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
    select r.id, 'answer', new.answered_by, new.id, new.id from public.profiles r
    where r.id = new.user_id and r.id <> new.answered_by
    for key share skip locked
    on conflict do nothing;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.question_place(question_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('category', s.main_category, 'subcategory', s.slug,
    'shelf', case when q.article_id is null then 'courses' else 'articles' end,
    'item_id', coalesce(a.id, c.id), 'module', m.slug, 'title', coalesce(a.title, m.title))
  from private.content_questions q
  left join public.articles a on a.id = q.article_id
  left join public.course_modules m on m.id = q.module_id
  left join public.courses c on c.id = m.course_id
  join public.subcategories s on s.id = coalesce(a.subcategory_id, c.subcategory_id)
  where q.id = question_id
$function$;
comment on function private.question_place(uuid) is 'Category, subcategory, shelf, item, lesson and title of the text a question is under.';

CREATE OR REPLACE FUNCTION private.export_part_questions(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('content_questions', coalesce((
    select jsonb_agg(
      to_jsonb(q) - 'user_id' - 'answered_by'
        - case when q.user_id = member then '' else 'question' end
      order by q.created_at, q.id
    ) from private.content_questions q where member in (q.user_id, q.answered_by)
  ), '[]'))
$function$;
comment on function private.export_part_questions(uuid) is 'Questions one account asked with their answers, and answers it gave without the questions.';

CREATE OR REPLACE FUNCTION private.waiting_questions()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_mentor();
  is_admin constant boolean := private.caller_is_admin();
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', w.id, 'question', w.question, 'created_at', w.created_at, 'place', private.question_place(w.id),
      'asker', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = w.user_id)
    ) order by w.created_at, w.id)
    from (
      select q.* from private.content_questions q
      where q.answer is null
        and (is_admin or private.text_author(q.article_id, q.module_id) = caller
          and not private.is_blocked_between(caller, q.user_id))
      order by q.created_at, q.id limit 100
    ) w
  ), '[]');
end
$function$;
comment on function private.waiting_questions() is 'The oldest 100 questions the caller may answer that have no answer; FF650 for members who are no mentors.';
grant execute on function private.waiting_questions() to authenticated;

CREATE OR REPLACE FUNCTION public.waiting_questions()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.waiting_questions() $function$;
comment on function public.waiting_questions() is 'Questions that wait for the caller: under their own texts, or all of them for administrators.';
grant execute on function public.waiting_questions() to authenticated;

-- content days

create table private.content_days (
  id bigint generated always as identity not null,
  content_id uuid not null,
  event text not null,
  day date not null,
  amount integer not null,
  constraint content_days_pkey PRIMARY KEY (id),
  constraint content_days_amount_check CHECK ((amount <> 0)),
  constraint content_days_event_check CHECK ((event = ANY (ARRAY['read'::text, 'enrolment'::text, 'completion'::text, 'question'::text])))
);
comment on table private.content_days is 'Events of finished days by article, course or lesson. Written by count_content_days.';
comment on column private.content_days.content_id is 'An article, a course or a lesson; without a reference, because rows of what is gone are never read.';
comment on column private.content_days.event is 'read: an article marked as read. completion: of a course, or of a lesson.';
comment on column private.content_days.day is 'Day in UTC.';
comment on column private.content_days.amount is 'Number of events; negative for events that were deleted after their day was counted.';
CREATE INDEX content_days_content_id_idx ON private.content_days USING btree (content_id, event, day) INCLUDE (amount);
CREATE INDEX content_days_day_idx ON private.content_days USING btree (day);
alter table private.content_days enable row level security;

create table private.content_days_state (
  is_only boolean default true not null,
  counted_until date not null,
  constraint content_days_state_pkey PRIMARY KEY (is_only),
  constraint content_days_state_is_only_check CHECK (is_only)
);
comment on table private.content_days_state is 'How far content_days reaches, in one row.';
comment on column private.content_days_state.counted_until is 'The first day that is not in content_days.';
alter table private.content_days_state enable row level security;

CREATE OR REPLACE FUNCTION private.content_events(since timestamp with time zone, until timestamp with time zone)
 RETURNS TABLE(content_id uuid, event text, day date, amount integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select v.content_id, v.event, (v.happened_at at time zone 'UTC')::date, count(*)::integer
  from (
    select r.article_id as content_id, 'read' as event, r.created_at as happened_at
    from public.article_reads r where r.created_at >= since and r.created_at < until
    union all
    select e.course_id, 'enrolment', e.created_at
    from public.course_enrollments e where e.created_at >= since and e.created_at < until
    union all
    select e.course_id, 'completion', e.completed_at
    from public.course_enrollments e where e.completed_at >= since and e.completed_at < until
    union all
    select d.module_id, 'completion', d.created_at
    from public.module_completions d where d.created_at >= since and d.created_at < until
    union all
    select coalesce(q.article_id, q.module_id), 'question', q.created_at
    from private.content_questions q where q.created_at >= since and q.created_at < until
  ) v
  group by 1, 2, 3
$function$;
comment on function private.content_events(timestamp with time zone,timestamp with time zone) is 'Events of all texts in a span of time by text and day (UTC), from the events themselves.';

CREATE OR REPLACE FUNCTION private.lock_content_days(is_counting boolean)
 RETURNS date
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  lock_key constant bigint := hashtextextended('private.content_days', 0);
begin
  if is_counting then
    perform pg_advisory_xact_lock(lock_key);
  else
    perform pg_advisory_xact_lock_shared(lock_key);
  end if;
  -- Read after the lock was given.
  return (select s.counted_until from private.content_days_state s);
end
$function$;
comment on function private.lock_content_days(boolean) is 'Keeps deletions of events and the counting of days apart until the transaction ends; the first day that is not counted.';

CREATE OR REPLACE FUNCTION private.count_content_days(since date DEFAULT NULL::date)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  counted_until constant date := private.lock_content_days(true);
  first constant date := least(coalesce(since, counted_until), counted_until);
  last constant date := greatest(((now() - interval '1 hour') at time zone 'UTC')::date, counted_until);
  written integer;
begin
  delete from private.content_days d where d.day >= first;
  insert into private.content_days (content_id, event, day, amount)
  select v.content_id, v.event, v.day, v.amount
  from private.content_events(first::timestamp at time zone 'UTC', last::timestamp at time zone 'UTC') v;
  get diagnostics written = row_count;
  update private.content_days_state set counted_until = last;
  return written;
end
$function$;
comment on function private.count_content_days(date) is 'Counts the finished days that are not counted yet, and those from a day on again; the number of rows written.';
grant execute on function private.count_content_days(date) to service_role;

CREATE OR REPLACE FUNCTION public.count_content_days()
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.count_content_days() $function$;
comment on function public.count_content_days() is 'Server: count the finished days that are not counted yet; the number of rows written.';
grant execute on function public.count_content_days() to service_role;

CREATE OR REPLACE FUNCTION private.tg_article_reads__uncount()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  counted_until constant timestamptz := private.lock_content_days(false)::timestamp at time zone 'UTC';
begin
  insert into private.content_days (content_id, event, day, amount)
  select g.article_id, 'read', (g.created_at at time zone 'UTC')::date, -count(*)
  from gone g where g.created_at < counted_until group by 1, 3;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_course_enrollments__uncount()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  counted_until constant timestamptz := private.lock_content_days(false)::timestamp at time zone 'UTC';
begin
  insert into private.content_days (content_id, event, day, amount)
  select g.course_id, v.event, (v.happened_at at time zone 'UTC')::date, -count(*)
  from gone g
  cross join lateral (values ('enrolment', g.created_at), ('completion', g.completed_at)) as v (event, happened_at)
  where v.happened_at < counted_until group by 1, 2, 3;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_module_completions__uncount()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  counted_until constant timestamptz := private.lock_content_days(false)::timestamp at time zone 'UTC';
begin
  insert into private.content_days (content_id, event, day, amount)
  select g.module_id, 'completion', (g.created_at at time zone 'UTC')::date, -count(*)
  from gone g where g.created_at < counted_until group by 1, 3;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_content_questions__uncount()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  counted_until constant timestamptz := private.lock_content_days(false)::timestamp at time zone 'UTC';
begin
  insert into private.content_days (content_id, event, day, amount)
  select coalesce(g.article_id, g.module_id), 'question', (g.created_at at time zone 'UTC')::date, -count(*)
  from gone g where g.created_at < counted_until group by 1, 3;
  return null;
end
$function$;

-- studio analytics

CREATE OR REPLACE FUNCTION private.content_figures(ids uuid[])
 RETURNS TABLE(content_id uuid, event text, day date, amount bigint)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  since constant timestamptz :=
    (select s.counted_until from private.content_days_state s)::timestamp at time zone 'UTC';
begin
  return query
    select v.content_id, v.event, v.day, sum(v.amount)::bigint
    from (
      select d.content_id, d.event, d.day, d.amount::bigint from private.content_days d where d.content_id = any (ids)
      union all
      select r.article_id, 'read', (r.created_at at time zone 'UTC')::date, count(*)
      from public.article_reads r where r.article_id = any (ids) and r.created_at >= since group by 1, 3
      union all
      select e.course_id, 'enrolment', (e.created_at at time zone 'UTC')::date, count(*)
      from public.course_enrollments e where e.course_id = any (ids) and e.created_at >= since group by 1, 3
      union all
      select e.course_id, 'completion', (e.completed_at at time zone 'UTC')::date, count(*)
      from public.course_enrollments e where e.course_id = any (ids) and e.completed_at >= since group by 1, 3
      union all
      select m.module_id, 'completion', (m.created_at at time zone 'UTC')::date, count(*)
      from public.module_completions m where m.module_id = any (ids) and m.created_at >= since group by 1, 3
      union all
      select coalesce(q.article_id, q.module_id), 'question', (q.created_at at time zone 'UTC')::date, count(*)
      from private.content_questions q
      where (q.article_id = any (ids) or q.module_id = any (ids)) and q.created_at >= since group by 1, 3
    ) v
    group by 1, 2, 3 having sum(v.amount) <> 0;
end
$function$;
comment on function private.content_figures(uuid[]) is 'Events of some texts by day (UTC), exact at this moment.';

CREATE OR REPLACE FUNCTION private.my_content_figures()
 RETURNS TABLE(content_id uuid, kind text, title text, category text, is_published boolean, readers bigint, reads bigint, enrolments bigint, completions bigint, questions bigint, open_questions bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.require_mentor();
  is_admin constant boolean := private.caller_is_admin();
begin
  return query
    with texts as materialized (
      select a.id, 'article' as kind, a.title, a.subcategory_id, a.is_published, a.created_at, 0 as enrolled
      from public.articles a where a.author_id = caller or is_admin
      union all
      select c.id, 'course', c.title, c.subcategory_id, c.is_published, c.created_at, c.enrollment_count
      from public.courses c where c.mentor_id = caller or is_admin
    ),
    -- Questions stand under the lessons of a course.
    parts as materialized (
      select t.id as text_id, t.id as part_id from texts t
      union all
      select m.course_id, m.id from public.course_modules m join texts t on t.id = m.course_id
    ),
    figures as (
      select p.text_id, sum(f.amount) filter (where f.event = 'read') as reads,
        sum(f.amount) filter (where f.event = 'completion' and p.part_id = p.text_id) as completions,
        sum(f.amount) filter (where f.event = 'question') as questions
      from private.content_figures((select array_agg(part_id) from parts)) f
      join parts p on p.part_id = f.content_id group by p.text_id
    ),
    waiting as (
      select p.text_id, count(*) as questions from private.content_questions q
      join parts p on p.part_id = coalesce(q.article_id, q.module_id) where q.answer is null group by p.text_id
    )
    select t.id, t.kind, t.title, s.main_category, t.is_published,
      case t.kind when 'article' then (select count(*) from public.article_opens o where o.article_id = t.id) else 0 end,
      coalesce(f.reads, 0)::bigint, t.enrolled::bigint, coalesce(f.completions, 0)::bigint,
      coalesce(f.questions, 0)::bigint, coalesce(w.questions, 0)
    from texts t
    join public.subcategories s on s.id = t.subcategory_id
    left join figures f on f.text_id = t.id
    left join waiting w on w.text_id = t.id
    order by t.created_at desc, t.id;
end
$function$;
comment on function private.my_content_figures() is 'The caller''s articles and courses with their figures, newest first; everyone''s for administrators. FF650 for other callers.';
grant execute on function private.my_content_figures() to authenticated;

CREATE OR REPLACE FUNCTION public.my_content_figures()
 RETURNS TABLE(content_id uuid, kind text, title text, category text, is_published boolean, readers bigint, reads bigint, enrolments bigint, completions bigint, questions bigint, open_questions bigint)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.my_content_figures() $function$;
comment on function public.my_content_figures() is 'Mentors: their articles and courses with readers, reads, enrolments, completions and questions.';
grant execute on function public.my_content_figures() to authenticated;

CREATE OR REPLACE FUNCTION private.require_own_course(course uuid)
 RETURNS public.courses
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.require_mentor();
  own public.courses;
begin
  select c.* into own from public.courses c where c.id = course and (c.mentor_id = caller or private.caller_is_admin());
  if not found then
    perform private.fail('FF740', 'There is no such course.');
  end if;
  return own;
end
$function$;
comment on function private.require_own_course(uuid) is 'A course of the caller, any for administrators; raises FF650 or FF740.';

CREATE OR REPLACE FUNCTION private.course_comparison(own public.courses)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with others as materialized (
    select c.id, c.enrollment_count, c.mentor_id = own.mentor_id is true as is_own, s.main_category = o.main_category as is_near
    from public.courses c
    join public.subcategories s on s.id = c.subcategory_id
    join public.subcategories o on o.id = own.subcategory_id
    where c.id <> own.id and c.is_published and c.enrollment_count > 0
      and (s.main_category = o.main_category or c.mentor_id = own.mentor_id)
  ), completed as (
    select f.content_id, sum(f.amount) as members
    from private.content_figures((select array_agg(id) from others)) f where f.event = 'completion' group by f.content_id
  ), rates as (
    select o.is_own, o.is_near, 100.0 * coalesce(d.members, 0) / o.enrollment_count as rate
    from others o left join completed d on d.content_id = o.id
  )
  select jsonb_build_object(
    'own_courses', count(*) filter (where r.is_own),
    'own_rate', round((percentile_cont(0.5) within group (order by r.rate) filter (where r.is_own))::numeric),
    'category_rate', case when count(*) filter (where r.is_near) >= 5
      then round((percentile_cont(0.5) within group (order by r.rate) filter (where r.is_near))::numeric) end
  )
  from rates r
$function$;
comment on function private.course_comparison(public.courses) is 'Median share of members who completed, in per cent: of the mentor''s other courses, and of at least five others of the category.';

CREATE OR REPLACE FUNCTION private.my_course_analytics(course uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  own constant public.courses := private.require_own_course(course);
  today constant date := (now() at time zone 'UTC')::date;
  first_week constant date := date_trunc('week', today)::date - 77;
begin
  return (
    with lessons as materialized (
      select m.id, m.title, m.module_order, m.is_published from public.course_modules m where m.course_id = course
    ), figures as materialized (
      select f.* from private.content_figures(array(select id from lessons) || course) f
    ), totals as materialized (
      select f.content_id, f.event, sum(f.amount) as amount from figures f group by f.content_id, f.event
    ), days as (
      select f.day, sum(f.amount) filter (where f.event = 'enrolment') as enrolments,
        sum(f.amount) filter (where f.event = 'completion' and f.content_id <> course) as lessons,
        sum(f.amount) filter (where f.event = 'completion' and f.content_id = course) as completions
      from figures f where f.day > today - 90 group by f.day
    )
    select jsonb_build_object(
      'id', own.id, 'title', own.title, 'is_published', own.is_published, 'enrolments', count(*), 'completions', count(e.completed_at),
      'median_days', round((percentile_cont(0.5) within group (
        order by extract(epoch from e.completed_at - e.created_at) / 86400
      ))::numeric, 1),
      'questions', (select coalesce(sum(t.amount), 0) from totals t where t.event = 'question'),
      'open_questions', (
        select count(*) from private.content_questions q where q.module_id in (select id from lessons) and q.answer is null
      ),
      'modules', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', m.id, 'title', m.title, 'is_published', m.is_published, 'completions', coalesce(t.amount, 0)
        ) order by m.module_order, m.id), '[]')
        from lessons m left join totals t on t.content_id = m.id and t.event = 'completion'
      ),
      'days', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'day', d.day, 'enrolments', coalesce(d.enrolments, 0), 'lessons', coalesce(d.lessons, 0),
          'completions', coalesce(d.completions, 0)
        ) order by d.day), '[]') from days d
      ),
      'cohorts', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'week', k.week, 'enrolments', k.members, 'completions', k.completions
        ) order by k.week desc), '[]')
        from (
          select date_trunc('week', n.created_at at time zone 'UTC')::date as week, count(*) as members,
            count(n.completed_at) as completions
          from public.course_enrollments n
          where n.course_id = course and n.created_at >= first_week::timestamp at time zone 'UTC' group by 1
        ) k
      ),
      'today', today,
      'comparison', private.course_comparison(own)
    )
    from public.course_enrollments e where e.course_id = course
  );
end
$function$;
comment on function private.my_course_analytics(uuid) is 'Everything the analytics of one course show: lessons in order, 90 days, cohorts of twelve weeks, comparison. FF650, FF740.';
grant execute on function private.my_course_analytics(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.my_course_analytics(course_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.my_course_analytics(course_id) $function$;
comment on function public.my_course_analytics(uuid) is 'Mentors: the analytics of one of their courses as one object.';
grant execute on function public.my_course_analytics(uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.my_students(course uuid, after_time timestamp with time zone, after_id uuid)
 RETURNS TABLE(user_id uuid, name text, progress integer, enrolled_at timestamp with time zone, last_active_at timestamp with time zone, completed_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  caller constant uuid := auth.uid();
begin
  perform private.require_own_course(course);
  return query
    select n.user_id, n.name, n.progress_percentage, n.created_at, greatest(n.created_at, n.completed_at, (
        select max(d.created_at) from public.module_completions d
        where d.user_id = n.user_id and d.module_id in (select m.id from public.course_modules m where m.course_id = course)
      )), n.completed_at
    from (
      select e.user_id, btrim(concat_ws(' ', p.first_name, p.last_name)) as name, e.progress_percentage, e.created_at, e.completed_at
      from public.course_enrollments e
      join public.profiles p on p.id = e.user_id
      left join public.profile_choices c on c.user_id = e.user_id
      where e.course_id = course and coalesce(c.is_listed, true)
        and (after_time is null or (e.created_at, e.user_id) < (after_time, after_id))
        and not private.is_blocked_between(caller, e.user_id)
      order by e.created_at desc, e.user_id desc limit 50
    ) n
    order by n.created_at desc, n.user_id desc;
end
$function$;
comment on function private.my_students(uuid,timestamp with time zone,uuid) is 'Fifty students of a course of the caller who may be named, the last enrolled first, after one of them. FF650, FF740.';
grant execute on function private.my_students(uuid,timestamp with time zone,uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.my_students(course_id uuid, after_time timestamp with time zone DEFAULT NULL::timestamp with time zone, after_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(user_id uuid, name text, progress integer, enrolled_at timestamp with time zone, last_active_at timestamp with time zone, completed_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.my_students(course_id, after_time, after_id) $function$;
comment on function public.my_students(uuid,timestamp with time zone,uuid) is 'Mentors: the students of one of their courses with progress and last activity, fifty at a time.';
grant execute on function public.my_students(uuid,timestamp with time zone,uuid) to authenticated;

-- studio files

CREATE OR REPLACE FUNCTION private.twin_draft(mentor uuid, kind text, written public.draft_versions)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select d.id
  from public.drafts d
  join public.draft_versions v on v.draft_id = d.id and v.version = d.version
  left join public.subcategories s on s.id = v.subcategory_id
  left join public.subcategories w on w.id = (written).subcategory_id
  where d.owner_id = mentor and d.kind = twin_draft.kind
    -- Texts of two categories may share an address.
    and (s.main_category = w.main_category or s.id is null or w.id is null)
    and (v.slug = (written).slug and v.slug <> '' or lower(v.title) = lower((written).title) and v.title <> '')
  order by v.slug = (written).slug desc, d.updated_at desc, d.id
  limit 1
$function$;
comment on function private.twin_draft(uuid,text,public.draft_versions) is 'A draft of the mentor with the same address or title in the same category; null when there is none.';

CREATE OR REPLACE FUNCTION private.import_draft(kind text, fields jsonb, again boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_mentor();
  written public.draft_versions := private.draft_from(kind, fields);
  target uuid;
begin
  perform private.enforce_rate_limit(caller, 'import_draft');
  -- The same import in two tabs: the second one finds the drafts of the first.
  perform pg_advisory_xact_lock(hashtextextended('import_draft:' || caller::text, 0));
  if again is not true then
    target := private.twin_draft(caller, kind, written);
    if target is not null then
      return jsonb_build_object('draft_id', target, 'is_new', false);
    end if;
  end if;
  insert into public.drafts (owner_id, kind, title) values (caller, import_draft.kind, written.title) returning id into target;
  perform private.add_draft_version(target, 1, written);
  return jsonb_build_object('draft_id', target, 'is_new', true);
end
$function$;
comment on function private.import_draft(text,jsonb,boolean) is 'Creates a draft from a file of the caller, unless there is one with its address or title and again is not set: draft_id and is_new.';
grant execute on function private.import_draft(text,jsonb,boolean) to authenticated;

CREATE OR REPLACE FUNCTION private.published_work(author uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(w.work order by w.display_order, w.slug), '[]') from (
    select a.display_order, a.slug, jsonb_build_object(
      'kind', 'article', 'subcategory_id', a.subcategory_id, 'slug', a.slug, 'title', a.title, 'excerpt', a.excerpt,
      'content', a.content, 'tags', a.tags, 'difficulty_level', 'beginner', 'price', 0, 'modules', '[]'::jsonb,
      'is_featured', a.is_featured, 'display_order', a.display_order, 'has_published_version', false
    ) as work
    from public.articles a where a.author_id = author and a.is_published
    union all
    select c.display_order, c.slug, jsonb_build_object(
      'kind', 'course', 'subcategory_id', c.subcategory_id, 'slug', c.slug, 'title', c.title, 'excerpt', c.description,
      'content', '', 'tags', '[]'::jsonb, 'difficulty_level', c.difficulty_level, 'price', c.price,
      'is_featured', c.is_featured, 'display_order', c.display_order, 'has_published_version', false, 'modules', coalesce((
        select jsonb_agg(jsonb_build_object('slug', m.slug, 'title', m.title, 'content', m.content,
          'minutes', m.estimated_duration, 'video_url', m.video_url) order by m.module_order, m.slug)
        from public.course_modules m where m.course_id = c.id and m.is_published
      ), '[]')
    )
    from public.courses c where c.mentor_id = author and c.is_published
  ) w
$function$;
comment on function private.published_work(uuid) is 'Articles and courses of an account as members read them, changes of the console included.';

CREATE OR REPLACE FUNCTION private.export_studio()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
begin
  perform private.enforce_rate_limit(caller, 'export_studio');
  return jsonb_build_object(
    'subcategories', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', s.id, 'main_category', s.main_category, 'slug', s.slug, 'name', s.name, 'description', s.description,
        'color', s.color, 'icon', s.icon, 'open_to_mentors', s.open_to_mentors,
        'display_order', s.display_order
      ) order by s.main_category, s.display_order, s.slug), '[]')
      from public.subcategories s
      where s.id in (
        select a.subcategory_id from public.articles a where a.author_id = caller
        union all
        select c.subcategory_id from public.courses c where c.mentor_id = caller
        union all
        select v.subcategory_id from public.draft_versions v join public.drafts d on d.id = v.draft_id and d.version = v.version
        where d.owner_id = caller
      )
    ),
    'published', private.published_work(caller),
    'drafts', (
      select coalesce(jsonb_agg(
        to_jsonb(v) - '{draft_id,version,saved_by,saved_at}'::text[]
          || jsonb_build_object('kind', d.kind, 'is_featured', false, 'display_order', null,
            'has_published_version', private.is_in_library(d))
        order by d.created_at, d.id
      ), '[]')
      from public.drafts d join public.draft_versions v on v.draft_id = d.id and v.version = d.version
      where d.owner_id = caller and not (private.is_in_library(d) and d.published_version = d.version)
    )
  );
end
$function$;
comment on function private.export_studio() is 'Everything the caller wrote: published work, and the newest versions of drafts that differ from it, with their subcategories.';
grant execute on function private.export_studio() to authenticated;

CREATE OR REPLACE FUNCTION public.import_draft(kind text, fields jsonb, again boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.import_draft(kind, fields, again) $function$;
comment on function public.import_draft(text,jsonb,boolean) is 'Mentors: make a draft of a file, or name the one that is there already; draft_id and is_new.';
grant execute on function public.import_draft(text,jsonb,boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.export_studio()
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.export_studio() $function$;
comment on function public.export_studio() is 'Mentors: everything one wrote, to be put into files.';
grant execute on function public.export_studio() to authenticated;

-- people

create table public.profile_choices (
  user_id uuid not null,
  topics text[] default '{}'::text[] not null,
  is_listed boolean default true not null,
  shows_submissions boolean default true not null,
  updated_at timestamp with time zone default now() not null,
  constraint profile_choices_pkey PRIMARY KEY (user_id),
  constraint profile_choices_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint profile_choices_topics_check CHECK ((cardinality(topics) <= 8))
);
comment on table public.profile_choices is 'What a member may be asked about and what their profile shows; without a row nothing and everything. Written by set_profile_choices.';
comment on column public.profile_choices.topics is 'What the member may be asked about, as they typed it; up to eight.';
comment on column public.profile_choices.is_listed is 'Whether the directory lists the member.';
comment on column public.profile_choices.shows_submissions is 'Whether the profile lists the member''s submissions. The feed shows them in any case.';
alter table public.profile_choices enable row level security;
grant delete, insert, select, update on public.profile_choices to service_role;
grant select (user_id, topics, is_listed, shows_submissions) on public.profile_choices to authenticated;
CREATE TRIGGER profile_choices__list_in_directory AFTER INSERT OR UPDATE ON public.profile_choices FOR EACH ROW EXECUTE FUNCTION private.tg_profile_choices__list_in_directory();

create policy select_own on public.profile_choices for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));

create table private.member_blocks (
  user_id uuid not null,
  blocked_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint member_blocks_pkey PRIMARY KEY (user_id, blocked_id),
  constraint member_blocks_blocked_id_fkey FOREIGN KEY (blocked_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint member_blocks_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint member_blocks_other_check CHECK ((user_id <> blocked_id))
);
comment on table private.member_blocks is 'Who has blocked whom. Written by block_member and unblock_member.';
CREATE INDEX member_blocks_blocked_id_idx ON private.member_blocks USING btree (blocked_id);
alter table private.member_blocks enable row level security;

CREATE OR REPLACE FUNCTION private.is_blocked_between(one uuid, other uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (select from private.member_blocks b where b.user_id = one and b.blocked_id = other)
    or exists (select from private.member_blocks b where b.user_id = other and b.blocked_id = one)
$function$;
comment on function private.is_blocked_between(uuid,uuid) is 'True when one of two accounts has blocked the other.';

CREATE OR REPLACE FUNCTION private.require_member()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
begin
  if not private.caller_is_member() then
    perform private.fail('FF700', 'Only members can see each other.');
  end if;
  return caller;
end
$function$;
comment on function private.require_member() is 'The calling member; FF700 for accounts that are not onboarded or not paying.';

create table private.directory_entries (
  user_id uuid not null,
  sort_key text not null,
  search_key text not null,
  occupation_key text not null,
  topic_keys text[] not null,
  constraint directory_entries_pkey PRIMARY KEY (user_id),
  constraint directory_entries_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE
);
comment on table private.directory_entries is 'The members'' directory: a copy to search, kept by triggers.';
comment on column private.directory_entries.sort_key is 'Result of search_key for the name.';
comment on column private.directory_entries.search_key is 'Result of search_key for name, occupation and topics.';
CREATE INDEX directory_entries_occupation_key_idx ON private.directory_entries USING gin (occupation_key extensions.gin_trgm_ops);
CREATE INDEX directory_entries_order_idx ON private.directory_entries USING btree (sort_key, user_id);
CREATE INDEX directory_entries_search_key_idx ON private.directory_entries USING gin (search_key extensions.gin_trgm_ops);
CREATE INDEX directory_entries_topic_keys_idx ON private.directory_entries USING gin (topic_keys);
alter table private.directory_entries enable row level security;

CREATE OR REPLACE FUNCTION private.list_in_directory(member uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.directory_entries as d (user_id, sort_key, search_key, occupation_key, topic_keys)
  select p.id, private.search_key(l.name),
    private.search_key(concat_ws(' ', l.name, p.occupation, array_to_string(l.topics, ' '))),
    private.search_key(coalesce(p.occupation, '')),
    array(select private.search_key(t) from unnest(l.topics) t)
  from public.profiles p
  left join public.profile_choices c on c.user_id = p.id
  cross join lateral (
    select btrim(concat_ws(' ', p.first_name, p.last_name)) as name, coalesce(c.topics, '{}') as topics
  ) l
  where p.id = member and p.onboarding_complete and p.role <> 'admin' and coalesce(c.is_listed, true)
  on conflict (user_id) do update set
    sort_key = excluded.sort_key, search_key = excluded.search_key,
    occupation_key = excluded.occupation_key, topic_keys = excluded.topic_keys;
  if not found then
    delete from private.directory_entries d where d.user_id = member;
  end if;
end
$function$;
comment on function private.list_in_directory(uuid) is 'Writes the directory''s entry of one account, or deletes it.';

CREATE OR REPLACE FUNCTION private.tg_profiles__list_in_directory()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.list_in_directory(new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_profile_choices__list_in_directory()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.list_in_directory(new.user_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tg_notifications__drop_blocked()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return case when private.is_blocked_between(new.user_id, new.actor_id) then null else new end;
end
$function$;

-- profile choices

CREATE OR REPLACE FUNCTION private.require_topics(topics text[])
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  tidied text[];
begin
  -- One spelling of each, in the order given.
  select coalesce(array_agg(t.topic order by t.place), '{}') into tidied
  from (
    select distinct on (private.search_key(w.topic)) w.topic, w.place
    from (
      select private.trimmed_message(regexp_replace(g.topic, '\s+', ' ', 'g')) as topic, g.place
      from unnest(topics) with ordinality as g (topic, place)
    ) w
    where w.topic <> ''
    order by private.search_key(w.topic), w.place
  ) t;
  if cardinality(tidied) > 8 or exists (
    select from unnest(tidied) t where char_length(t) > 40 or t ~ '[[:cntrl:]]' or private.is_blank(t)
  ) then
    perform private.fail('FF701', 'Name up to eight topics of at most 40 characters each.');
  end if;
  return tidied;
end
$function$;
comment on function private.require_topics(text[]) is 'The topics without repetitions and white space; FF701 when they are too many or too long.';

CREATE OR REPLACE FUNCTION private.set_profile_choices(topics text[], is_listed boolean, shows_submissions boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_member();
  tidied text[] := private.require_topics(topics);
begin
  perform private.enforce_rate_limit(caller, 'profile_choices');
  insert into public.profile_choices as c (user_id, topics, is_listed, shows_submissions)
  values (caller, tidied, coalesce(set_profile_choices.is_listed, true), coalesce(set_profile_choices.shows_submissions, true))
  on conflict (user_id) do update set
    topics = excluded.topics, is_listed = excluded.is_listed, shows_submissions = excluded.shows_submissions,
    updated_at = now();
end
$function$;
comment on function private.set_profile_choices(text[],boolean,boolean) is 'Stores what the caller may be asked about and what their profile shows.';
grant execute on function private.set_profile_choices(text[],boolean,boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.set_profile_choices(topics text[], is_listed boolean, shows_submissions boolean)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.set_profile_choices(topics, is_listed, shows_submissions)
$function$;
comment on function public.set_profile_choices(text[],boolean,boolean) is 'Sets what the caller may be asked about (up to eight topics), whether the directory lists them and whether their profile shows submissions.';
grant execute on function public.set_profile_choices(text[],boolean,boolean) to authenticated;

CREATE OR REPLACE FUNCTION private.require_other_member(caller uuid, member uuid)
 RETURNS public.profiles
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  other public.profiles;
begin
  select p.* into other from public.profiles p where p.id = member and (p.onboarding_complete or p.role = 'admin');
  if not found then
    perform private.fail('FF702', 'There is no such member.');
  end if;
  if member = caller then
    perform private.fail('FF703', 'This is your own profile.');
  end if;
  return other;
end
$function$;
comment on function private.require_other_member(uuid,uuid) is 'The profile of another account that was onboarded; FF702 without one, FF703 for the caller''s own.';

CREATE OR REPLACE FUNCTION private.block_member(member uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_member();
  other public.profiles := private.require_other_member(caller, member);
begin
  if other.role = 'admin' then
    perform private.fail('FF704', 'Administrators look after the community and cannot be blocked.');
  end if;
  perform private.enforce_rate_limit(caller, 'block');
  insert into private.member_blocks (user_id, blocked_id) values (caller, member) on conflict do nothing;
  delete from public.notifications n
  where (n.user_id = caller and n.actor_id = member) or (n.user_id = member and n.actor_id = caller);
end
$function$;
comment on function private.block_member(uuid) is 'Hides the caller and another member from each other. Repeating it does nothing.';
grant execute on function private.block_member(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.block_member(member_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.block_member(member_id) $function$;
comment on function public.block_member(uuid) is 'Hides the caller and another member from each other, and deletes the notifications between them.';
grant execute on function public.block_member(uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.unblock_member(member uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_caller();
begin
  delete from private.member_blocks b where b.user_id = caller and b.blocked_id = member;
end
$function$;
comment on function private.unblock_member(uuid) is 'Takes back the caller''s block of a member.';
grant execute on function private.unblock_member(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.unblock_member(member_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.unblock_member(member_id) $function$;
comment on function public.unblock_member(uuid) is 'Takes back the caller''s block of a member.';
grant execute on function public.unblock_member(uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.my_blocks()
 RETURNS TABLE(member_id uuid, name text, avatar_url text, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select b.blocked_id, btrim(concat_ws(' ', p.first_name, p.last_name)), p.avatar_url, b.created_at
    from private.member_blocks b left join public.profiles p on p.id = b.blocked_id
    where b.user_id = private.require_caller()
    order by b.created_at desc, b.blocked_id;
end
$function$;
comment on function private.my_blocks() is 'Whom the caller has blocked, newest first.';
grant execute on function private.my_blocks() to authenticated;

CREATE OR REPLACE FUNCTION public.my_blocks()
 RETURNS TABLE(member_id uuid, name text, avatar_url text, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.my_blocks() $function$;
comment on function public.my_blocks() is 'Whom the caller has blocked, newest first.';
grant execute on function public.my_blocks() to authenticated;

-- member profiles

CREATE OR REPLACE FUNCTION private.member_profile(member uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_member();
  shown public.profiles;
  choices public.profile_choices;
  has_blocked boolean;
begin
  perform private.enforce_rate_limit(caller, 'people');
  select p.* into shown from public.profiles p join auth.users u on u.id = p.id
  where p.id = member and private.effective_level(p.id) > 0
    and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null
    and not exists (select from private.member_blocks b where b.user_id = p.id and b.blocked_id = caller);
  if not found then
    return null;
  end if;
  has_blocked := exists (select from private.member_blocks b where b.user_id = caller and b.blocked_id = shown.id);
  if has_blocked then
    return jsonb_build_object(
      'id', shown.id, 'name', btrim(concat_ws(' ', shown.first_name, shown.last_name)), 'role', shown.role, 'is_blocked', true
    );
  end if;
  select c.* into choices from public.profile_choices c where c.user_id = shown.id;
  return jsonb_build_object(
    'id', shown.id, 'name', btrim(concat_ws(' ', shown.first_name, shown.last_name)), 'role', shown.role,
    'occupation', shown.occupation, 'bio', shown.bio, 'avatar_url', shown.avatar_url, 'is_blocked', false,
    'level', private.effective_level(shown.id), 'topics', to_jsonb(coalesce(choices.topics, '{}')),
    'joined_on', (select (u.created_at at time zone 'utc')::date from auth.users u where u.id = shown.id),
    'submissions', case when coalesce(choices.shows_submissions, true) then (
      select jsonb_build_object(
        'count', (select count(*) from public.learning_submissions s where s.user_id = shown.id),
        'newest', coalesce((
          select jsonb_agg(jsonb_build_object(
            'id', n.id, 'type', n.submission_type, 'title', n.title, 'created_at', n.created_at
          ) order by n.created_at desc, n.id desc)
          from (
            select s.* from public.learning_submissions s where s.user_id = shown.id
            order by s.created_at desc, s.id desc limit 5
          ) n
        ), '[]')
      )
    ) end
  );
end
$function$;
comment on function private.member_profile(uuid) is 'What a member sees of another, or null: no such member, not a member now, suspended, or has blocked the caller. Limited.';
grant execute on function private.member_profile(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.member_profile(member_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.member_profile(member_id) $function$;
comment on function public.member_profile(uuid) is 'The profile of a member as another sees it; null when there is none to see. Of a member the caller has blocked only the name.';
grant execute on function public.member_profile(uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.like_part(word text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
$function$;
comment on function private.like_part(text) is 'The pattern of LIKE for texts that hold the word. Wildcards in it are ordinary characters.';

CREATE OR REPLACE FUNCTION private.directory_page(search text, level integer, role text, occupation text, topic text, after_id uuid, page_size integer)
 RETURNS TABLE(user_id uuid, name text, role_name text, occupation_name text, avatar_url text, member_level integer, topics text[])
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_member();
  words text[];
  rules text[];
  tier text := '0';
  after private.directory_entries;
  after_tier integer;
begin
  perform private.enforce_rate_limit(caller, 'people');
  if role not in ('student', 'mentor') or level not between 1 and 4 or char_length(search) > 200
    or char_length(occupation) > 150 or char_length(topic) > 40 then
    perform private.fail('FF705', 'There is no such filter.');
  end if;
  rules := array[
    'exists (select from private.live_memberships m where m.user_id = d.user_id)',
    'not exists (select from auth.users u where u.id = d.user_id and u.banned_until > now())',
    format('not private.is_blocked_between(d.user_id, %L)', caller)
  ];
  words := array(
    select w from regexp_split_to_table(private.search_key(btrim(coalesce(search, ''))), '\s+') w where w <> '' limit 6
  );
  if cardinality(words) > 0 then
    perform set_config('pg_trgm.word_similarity_threshold', '0.45', true);
    tier := (
      select format('case when %s then 0 else 1 end', string_agg(format('d.search_key like %L', private.like_part(w)), ' and '))
      from unnest(words) w
    );
    rules := rules || array(
      select format('(d.search_key like %L or %L operator(extensions.<%%) d.search_key)', private.like_part(w), w)
      from unnest(words) w
    );
  end if;
  if btrim(occupation) <> '' then
    rules := rules || format('d.occupation_key like %L', private.like_part(private.search_key(btrim(occupation))));
  end if;
  if btrim(topic) <> '' then
    rules := rules || format('d.topic_keys @> array[%L]', private.search_key(btrim(topic)));
  end if;
  if level is not null then
    rules := rules || format(
      'coalesce((select l.current_level from public.user_levels l where l.user_id = d.user_id), 1) = %s', level
    );
  end if;
  if role is not null then
    rules := rules || format('(select p.role from public.profiles p where p.id = d.user_id) = %L', role);
  end if;
  if after_id is not null then
    select d.* into after from private.directory_entries d where d.user_id = after_id;
    if not found then
      return;
    end if;
    if tier = '0' then
      rules := rules || format('(d.sort_key, d.user_id) > (%L, %L::uuid)', after.sort_key, after_id);
    else
      execute format('select %s from private.directory_entries d where d.user_id = %L', tier, after_id) into after_tier;
      rules := rules || format('(%s, d.sort_key, d.user_id) > (%s, %L, %L::uuid)', tier, after_tier, after.sort_key, after_id);
    end if;
  end if;
  return query execute format(
    'select d.user_id, btrim(concat_ws('' '', p.first_name, p.last_name)), p.role, p.occupation, p.avatar_url,
       coalesce(l.current_level, 1), coalesce(c.topics, ''{}'')
     from (
       select d.user_id, d.sort_key, %2$s as tier from private.directory_entries d where %1$s
       order by %3$s d.sort_key, d.user_id limit %4$s
     ) d
     join public.profiles p on p.id = d.user_id
     left join public.user_levels l on l.user_id = d.user_id
     left join public.profile_choices c on c.user_id = d.user_id
     order by d.tier, d.sort_key, d.user_id',
    array_to_string(rules, ' and '), tier, case when tier = '0' then '' else tier || ',' end,
    least(greatest(coalesce(page_size, 24), 1), 50)
  );
end
$function$;
comment on function private.directory_page(text,integer,text,text,text,uuid,integer) is 'One page of the members who are listed and match every filter that is not null; FF705 for an unknown one. Limited.';
grant execute on function private.directory_page(text,integer,text,text,text,uuid,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.directory_page(search text DEFAULT NULL::text, level integer DEFAULT NULL::integer, role text DEFAULT NULL::text, occupation text DEFAULT NULL::text, topic text DEFAULT NULL::text, after_id uuid DEFAULT NULL::uuid, page_size integer DEFAULT 24)
 RETURNS TABLE(user_id uuid, name text, role_name text, occupation_name text, avatar_url text, member_level integer, topics text[])
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select * from private.directory_page(search, level, role, occupation, topic, after_id, page_size)
$function$;
comment on function public.directory_page(text,integer,text,text,text,uuid,integer) is 'Members: who is here, by words that may be misspelt, level, role, occupation and topic; best matches first, then by name; the page after the member after_id.';
grant execute on function public.directory_page(text,integer,text,text,text,uuid,integer) to authenticated;

-- member reports

create table private.member_reports (
  id bigint generated always as identity not null,
  member_id uuid not null,
  user_id uuid not null,
  reason text not null,
  profile jsonb not null,
  created_at timestamp with time zone default now() not null,
  resolved_at timestamp with time zone,
  decision text,
  constraint member_reports_pkey PRIMARY KEY (id),
  constraint member_reports_member_id_fkey FOREIGN KEY (member_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint member_reports_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint member_reports_decision_check CHECK ((decision = ANY (ARRAY['keep'::text, 'clear'::text]))),
  constraint member_reports_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500))),
  constraint member_reports_resolved_check CHECK (((resolved_at IS NULL) = (decision IS NULL)))
);
comment on table private.member_reports is 'Reports of members; of one member by one other only one is open.';
comment on column private.member_reports.user_id is 'Who reported.';
comment on column private.member_reports.profile is 'Name, occupation, bio and topics as they were when reported, in case they are edited.';
CREATE INDEX member_reports_member_id_idx ON private.member_reports USING btree (member_id);
CREATE UNIQUE INDEX member_reports_open_key ON private.member_reports USING btree (member_id, user_id) WHERE (resolved_at IS NULL);
CREATE INDEX member_reports_user_id_idx ON private.member_reports USING btree (user_id);
CREATE INDEX member_reports_waiting_idx ON private.member_reports USING btree (created_at) WHERE (resolved_at IS NULL);
alter table private.member_reports enable row level security;

CREATE OR REPLACE FUNCTION private.report_member(member uuid, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_member();
  why text := private.trimmed_message(reason);
  other public.profiles := private.require_other_member(caller, member);
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF317', 'Say in at most 500 characters what is wrong.');
  end if;
  if exists (
    select from private.member_reports r where r.member_id = other.id and r.user_id = caller and r.resolved_at is null
  ) then
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'report');
  insert into private.member_reports (member_id, user_id, reason, profile)
  values (other.id, caller, why, jsonb_build_object(
    'name', btrim(concat_ws(' ', other.first_name, other.last_name)), 'occupation', other.occupation, 'bio', other.bio,
    'topics', coalesce((select to_jsonb(c.topics) from public.profile_choices c where c.user_id = other.id), '[]')
  ))
  on conflict do nothing;
end
$function$;
comment on function private.report_member(uuid,text) is 'Reports a member to the administrators. Repeating it while the report is open does nothing.';
grant execute on function private.report_member(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.report_member(member_id uuid, reason text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.report_member(member_id, reason) $function$;
comment on function public.report_member(uuid,text) is 'Reports a member to the administrators.';
grant execute on function public.report_member(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION private.member_report_queue()
 RETURNS TABLE(report_id bigint, member_id uuid, role_name text, avatar_url text, profile jsonb, is_changed boolean, reports integer, reasons text[], first_reported_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_verified_admin();
  return query
    select o.report_id, p.id, p.role, p.avatar_url, o.profile,
      (o.profile ->> 'occupation') is distinct from p.occupation or (o.profile ->> 'bio') is distinct from p.bio
        or (o.profile -> 'topics') <> coalesce((select to_jsonb(c.topics) from public.profile_choices c where c.user_id = p.id), '[]'),
      o.reports, o.reasons, o.first_reported_at
    from (
      select r.member_id as reported_id, min(r.id) as report_id, count(*)::integer as reports,
        array_agg(r.reason order by r.id) as reasons, min(r.created_at) as first_reported_at,
        (array_agg(r.profile order by r.id))[1] as profile
      from private.member_reports r where r.resolved_at is null group by r.member_id
    ) o
    join public.profiles p on p.id = o.reported_id
    order by o.first_reported_at, o.report_id;
end
$function$;
comment on function private.member_report_queue() is 'Reported members who wait for a decision, oldest report first.';
grant execute on function private.member_report_queue() to authenticated;

CREATE OR REPLACE FUNCTION public.member_report_queue()
 RETURNS TABLE(report_id bigint, member_id uuid, role_name text, avatar_url text, profile jsonb, is_changed boolean, reports integer, reasons text[], first_reported_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.member_report_queue() $function$;
comment on function public.member_report_queue() is 'Administrators: reported members waiting for a decision, with the profile as it was reported.';
grant execute on function public.member_report_queue() to authenticated;

CREATE OR REPLACE FUNCTION private.resolve_member_report(report bigint, decision text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  admin uuid := private.require_verified_admin();
  reported public.profiles;
begin
  if decision is null or decision not in ('keep', 'clear') then
    perform private.fail('FF706', 'The decision must be keep or clear.');
  end if;
  select p.* into reported from public.profiles p
  join private.member_reports r on r.member_id = p.id
  where r.id = report for no key update of p;
  if reported.id = admin then
    perform private.fail('FF513', 'Another administrator has to do this to your own account.');
  end if;
  update private.member_reports r set resolved_at = clock_timestamp(), decision = resolve_member_report.decision
  where r.member_id = reported.id and r.resolved_at is null;
  if not found then
    perform private.fail('FF707', 'This report is not waiting for a decision.');
  end if;
  perform private.audit(
    admin, 'profile.' || case decision when 'keep' then 'kept' else 'cleared' end, reported.id,
    jsonb_build_object('report_id', report, 'before', 'reported', 'after', decision)
  );
  if decision = 'clear' then
    update public.profiles p set bio = null where p.id = reported.id;
    update public.profile_choices c set topics = '{}', updated_at = now() where c.user_id = reported.id;
  end if;
end
$function$;
comment on function private.resolve_member_report(bigint,text) is 'Keeps a reported profile or clears its bio and topics, and closes its reports; audited.';
grant execute on function private.resolve_member_report(bigint,text) to authenticated;

CREATE OR REPLACE FUNCTION public.resolve_member_report(report_id bigint, decision text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.resolve_member_report(report_id, decision) $function$;
comment on function public.resolve_member_report(bigint,text) is 'Administrators: keep a reported profile as it is, or clear its bio and topics.';
grant execute on function public.resolve_member_report(bigint,text) to authenticated;

CREATE OR REPLACE FUNCTION private.export_part_people(member uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'profile_choices', (select to_jsonb(c) from public.profile_choices c where c.user_id = member),
    'member_blocks', coalesce((
      select jsonb_agg(to_jsonb(b) - 'blocked_id' order by b.created_at)
      from private.member_blocks b where b.user_id = member
    ), '[]'),
    'member_reports', coalesce((
      select jsonb_agg(
        to_jsonb(r) - 'member_id' - 'user_id' - case when r.user_id = member then 'profile' else 'reason' end order by r.id
      ) from private.member_reports r where member in (r.user_id, r.member_id)
    ), '[]')
  )
$function$;
comment on function private.export_part_people(uuid) is 'Choices, blocks and reports of one account, and reports about it, without the other persons.';

-- mentions

CREATE OR REPLACE FUNCTION private.may_be_mentioned(member uuid, room text, by_member uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select member <> by_member and not private.is_blocked_between(member, by_member)
    and exists (select from private.directory_entries d where d.user_id = member)
    and not exists (select from auth.users u where u.id = member and u.banned_until > now())
    and exists (
      select from public.chat_rooms r
      where r.id = room and r.is_active and r.min_level_required <= private.effective_level(member)
    )
$function$;
comment on function private.may_be_mentioned(uuid,text,uuid) is 'True for a listed member who may read the room now and is another than the given one, without a block between them.';

CREATE OR REPLACE FUNCTION private.mentionable_members(room text, typed text)
 RETURNS TABLE(user_id uuid, name text, avatar_url text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.require_member();
  start constant text := private.search_key(btrim(left(coalesce(typed, ''), 100)));
begin
  perform private.enforce_rate_limit(caller, 'people');
  if start = '' or not room = any (private.caller_room_ids()) then
    return;
  end if;
  return query
    select p.id, btrim(concat_ws(' ', p.first_name, p.last_name)), p.avatar_url
    from private.directory_entries d join public.profiles p on p.id = d.user_id
    where position(' ' || start in ' ' || d.sort_key) > 0 and private.may_be_mentioned(d.user_id, room, caller)
    order by d.sort_key, d.user_id limit 8;
end
$function$;
comment on function private.mentionable_members(text,text) is 'Up to eight members whom the caller may mention in the room and a word of whose name begins as typed. Limited.';
grant execute on function private.mentionable_members(text,text) to authenticated;

CREATE OR REPLACE FUNCTION public.mentionable_members(room text, typed text)
 RETURNS TABLE(user_id uuid, name text, avatar_url text)
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select * from private.mentionable_members(room, typed) $function$;
comment on function public.mentionable_members(text,text) is 'Members whom the caller may mention in a room, by the beginning of a word of their name; at most eight.';
grant execute on function public.mentionable_members(text,text) to authenticated;

CREATE OR REPLACE FUNCTION private.mention_members(message uuid, members uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.require_caller();
  named constant public.chat_messages := private.require_visible_message(message);
  told bigint;
begin
  if named.user_id <> caller then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  select count(*) into told from public.notifications n
  where n.actor_id = caller and n.kind = 'mention' and n.subject_id = message;
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
  select p.id, 'mention', caller, message, message
  from public.profiles p
  where p.id = any (members[1:100])
    and position('@' || btrim(concat_ws(' ', p.first_name, p.last_name)) in named.content) > 0
    and private.may_be_mentioned(p.id, named.chat_room_id, caller)
    and not exists (select from public.chat_messages a where a.id = named.parent_message_id and a.user_id = p.id)
    and not exists (
      select from public.notifications n
      where n.user_id = p.id and n.kind = 'mention' and n.subject_id = message and n.actor_id = caller
    )
  limit greatest(10 - told, 0)
  for key share of p skip locked
  on conflict do nothing;
end
$function$;
comment on function private.mention_members(uuid,uuid[]) is 'Tells up to ten members that the caller''s own message names them: those whose name stands in it after @ and who may read it.';
grant execute on function private.mention_members(uuid,uuid[]) to authenticated;

CREATE OR REPLACE FUNCTION public.mention_members(message uuid, members uuid[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.mention_members(message, members) $function$;
comment on function public.mention_members(uuid,uuid[]) is 'Tells members that the caller''s message names them: at most ten, each once, and only who may read it.';
grant execute on function public.mention_members(uuid,uuid[]) to authenticated;
