-- Plainer names: what a reader took for something else is called by what it does. Bodies that use a name are given again.

-- No client reaches these two tables: they are private.
-- squawk-ignore renaming-table
alter table private.billing_reads rename to billing_sync_versions;
-- squawk-ignore renaming-table
alter table private.member_directory rename to member_search_index;
alter table private.billing_sync_versions rename constraint billing_reads_pkey to billing_sync_versions_pkey;
alter table private.member_search_index rename constraint member_directory_pkey to member_search_index_pkey;
alter table private.member_search_index rename constraint member_directory_user_id_fkey to member_search_index_user_id_fkey;
alter index private.member_directory_joined_at_idx rename to member_search_index_joined_at_idx;
alter index private.member_directory_order_idx rename to member_search_index_order_idx;
alter index private.member_directory_search_key_idx rename to member_search_index_search_key_idx;
alter trigger profiles__list_member on public.profiles rename to profiles__index_member;
alter trigger search_documents__forget_words on private.search_documents rename to search_documents__delete_unused_words;
alter function private.billing_draw_ticket(text) rename to billing_next_ticket;
alter function private.billing_apply_hold(text, text) rename to billing_status_under_hold;
alter function private.billing_apply(bigint, jsonb, text, text) rename to billing_apply_subscription;
alter function public.billing_draw_ticket(text) rename to billing_next_ticket;
alter function public.billing_apply(bigint, jsonb, text, text) rename to billing_apply_subscription;
alter function private.verification_documents_due(text, integer) rename to verification_documents_to_purge;
alter function public.verification_documents_due(text, integer) rename to verification_documents_to_purge;
alter function private.moderation_queue() rename to message_report_queue;
alter function public.moderation_queue() rename to message_report_queue;
alter function private.resolve_report(bigint, text) rename to resolve_message_report;
alter function public.resolve_report(bigint, text) rename to resolve_message_report;
alter function private.learning_images_due(text, integer) rename to learning_images_to_purge;
alter function public.learning_images_due(text, integer) rename to learning_images_to_purge;
alter function private.caller_shelves() rename to caller_studio_subcategories;
alter function private.forget_words(text[]) rename to delete_unused_search_words;
alter function private.list_member(uuid) rename to index_member_for_search;
alter function private.content_rooms() rename to admin_rooms;
alter function public.content_rooms() rename to admin_rooms;
alter function private.content_subcategories() rename to admin_subcategories;
alter function public.content_subcategories() rename to admin_subcategories;
alter function private.content_items(text, text, text, uuid, text, integer, integer) rename to admin_library_items;
alter function private.content_supply() rename to admin_level_supply;
alter function public.content_items(text, text, text, uuid, text, integer, integer) rename to admin_library_items;
alter function public.content_supply() rename to admin_level_supply;
alter function private.tg_profiles__list_member() rename to tg_profiles__index_member;
alter function private.tg_search_documents__forget_words() rename to tg_search_documents__delete_unused_words;

comment on function private.billing_next_ticket(text) is 'A ticket for reading the provider; null when the event was applied before.';

create or replace function private.billing_elect_current(customer text) returns void
  language plpgsql set search_path = '' as $$
declare
  best bigint;
begin
  select s.id into best from public.stripe_subscriptions s
  left join private.billing_sync_versions r on r.subscription_id = s.subscription_id
  left join private.plan_prices o on o.price_id = s.price_id
  left join public.plans p on p.id = o.plan_id
  where s.customer_id = customer
  order by private.billing_rank(s.status) desc, p.role = 'mentor' desc nulls last, r.created_at_provider desc nulls last, s.id desc limit 1;
  update public.stripe_subscriptions s set deleted_at = now()
  where s.customer_id = customer and s.id <> best and s.deleted_at is null;
  update public.stripe_subscriptions s set deleted_at = null where s.id = best and s.deleted_at is not null;
end
$$;

comment on function private.billing_status_under_hold(text,text) is 'The member''s status, from the provider''s status and the hold.';

create or replace function private.billing_apply_subscription(ticket bigint, snapshot jsonb, event text, event_type text) returns text
  language plpgsql security definer set search_path = '' as $$
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
  new_status := private.billing_status_under_hold(snapshot ->> 'status', hold);
  item := item || jsonb_build_object('price_id', coalesce(private.billing_price_before_upgrade(
    subscription, item ->> 'price_id', snapshot ->> 'latest_invoice'
  ), item ->> 'price_id'));
  insert into private.billing_sync_versions as r (subscription_id, ticket, created_at_provider, ended_at_provider)
  values (subscription, billing_apply_subscription.ticket, (snapshot ->> 'created')::bigint, (snapshot ->> 'ended')::bigint)
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
$$;

comment on function private.billing_apply_subscription(bigint,jsonb,text,text) is 'Writes one reading of a subscription, with its event id and the role it gives: applied, stale, duplicate or unknown_customer.';

create or replace function public.billing_next_ticket(event text default NULL::text) returns bigint
  language sql set search_path = '' as $$ select private.billing_next_ticket(event) $$;

comment on function public.billing_next_ticket(text) is 'Server: draw a ticket before reading the provider.';

create or replace function public.billing_apply_subscription(ticket bigint, snapshot jsonb, event text default NULL::text, event_type text default NULL::text) returns text
  language sql set search_path = '' as $$ select private.billing_apply_subscription(ticket, snapshot, event, event_type) $$;

comment on function public.billing_apply_subscription(bigint,jsonb,text,text) is 'Server: write one reading of a subscription.';

create or replace function private.billing_purge() returns void
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.billing_events e where e.applied_at < now() - interval '60 days';
  delete from private.billing_attempts a
  where a.state in ('paid', 'failed') and a.updated_at < now() - interval '60 days';
  delete from private.billing_failures f where f.last_failed_at < now() - interval '60 days';
  delete from private.billing_sync_versions r where not exists (
    select from public.stripe_subscriptions s where s.subscription_id = r.subscription_id
  );
  delete from private.plan_change_quotes q where q.created_at < now() - interval '1 day';
end
$$;

comment on function private.verification_documents_to_purge(text,integer) is 'Documents whose decision is more than 30 days old, or whose upload if they were never submitted; by name, after the given one.';

create or replace function public.verification_documents_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select private.verification_documents_to_purge(after, batch) $$;

comment on function public.verification_documents_to_purge(text,integer) is 'Server: identity documents to delete now.';

comment on function private.message_report_queue() is 'Reported messages that wait for a decision, oldest report first.';

create or replace function public.message_report_queue() returns table (report_id bigint, message_id uuid, chat_room_id text, room_name text, content text, reported_content text, author_id uuid, author_first_name text, author_last_name text, author_role text, reports integer, reasons text[], first_reported_at timestamp with time zone, reported_picture text, reported_picture_alt text)
  language sql stable set search_path = '' as $$ select * from private.message_report_queue() $$;

comment on function public.message_report_queue() is 'Administrators: reported messages waiting for a decision, oldest first.';

create or replace function private.resolve_message_report(report bigint, decision text) returns void
  language plpgsql security definer set search_path = '' as $$
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
  update private.message_reports r set resolved_at = clock_timestamp(), decision = resolve_message_report.decision
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
$$;

comment on function private.resolve_message_report(bigint,text) is 'Keeps or removes a reported message and closes all its reports; audited.';

create or replace function public.resolve_message_report(report_id bigint, decision text) returns void
  language sql set search_path = '' as $$ select private.resolve_message_report(report_id, decision) $$;

comment on function public.resolve_message_report(bigint,text) is 'Administrators: keep or remove a reported message.';

comment on function private.learning_images_to_purge(text,integer) is 'Pictures older than a day that no submission shows; by name, after the given one.';

create or replace function public.learning_images_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select private.learning_images_to_purge(after, batch) $$;

comment on function public.learning_images_to_purge(text,integer) is 'Server: pictures of submissions to delete now.';

comment on function private.caller_studio_subcategories() is 'Subcategories the caller may see: those of the caller''s level and those with the caller''s own work.';

comment on function private.delete_unused_search_words(text[]) is 'Deletes those of the words that no document contains any more.';

create or replace function private.tg_search_documents__delete_unused_words() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.delete_unused_search_words(old.words);
  return null;
end
$$;

create or replace function private.index_document(document private.search_documents, extra text, words text) returns void
  language plpgsql set search_path = '' as $$
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
  perform private.delete_unused_search_words(array(select unnest(former) except select unnest(document.words)));
end
$$;
