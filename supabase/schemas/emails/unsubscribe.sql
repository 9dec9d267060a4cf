-- @rpc service_role
-- Server: take the next e-mail to send.
create function private.claim_email(lease interval default '00:05:00')
returns table (
  id uuid, claim uuid, message_id text, address text, first_name text, template text, data jsonb, texts jsonb,
  user_id uuid, kind text
)
language plpgsql
security definer
set search_path = ''
as $function$
declare
  taken private.email_outbox;
  refusal text;
begin
  if exists (select from private.email_pauses) then
    return;
  end if;
  loop
    taken := null;
    -- One look at the index for each priority: sorted together, all that wait for a later attempt would be passed each time.
    for wanted in 1..3 loop
      select o.* into taken from private.email_outbox o
      where o.status = 'pending' and o.priority = wanted and o.next_attempt_at <= clock_timestamp()
      order by o.next_attempt_at, o.id limit 1 for update skip locked;
      exit when taken.id is not null;
    end loop;
    if taken.id is null then
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
      p.first_name, taken.template,
      case taken.template
        when 'digest' then private.digest_content(taken)
        when 'payment_failed' then taken.data || private.failed_payment_facts(taken.data ->> 'subscription_id')
        else taken.data
      end,
      private.changed_email_texts(taken.template), taken.user_id, t.kind
    from auth.users u
    left join public.profiles p on p.id = u.id
    left join private.email_templates t on t.name = taken.template
    where u.id = taken.user_id;
end
$function$;
comment on function private.claim_email(interval) is 'Takes the e-mail of the first priority that is due for longest and nobody else has, for the length of the lease; no row when none is due or they are paused.';

-- @rpc service_role
-- Server: switch off the e-mails of one kind for one account.
create function private.switch_off_emails(member uuid, kind text)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
begin
  if kind = 'digest' then
    insert into public.digest_choices as d (user_id, frequency)
    select u.id, 'off' from auth.users u where u.id = member
    on conflict (user_id) do update set frequency = 'off' where d.frequency <> 'off';
  elsif kind in ('tips', 'reminders') then
    insert into public.notification_preferences as p (user_id, kind, email)
    select u.id, switch_off_emails.kind, false from auth.users u where u.id = member
    on conflict on constraint notification_preferences_pkey do update set email = false where p.email;
  end if;
end
$function$;
comment on function private.switch_off_emails(uuid, text) is 'Switches off the e-mails of one kind for one account. Does nothing for kinds that cannot be switched off.';
