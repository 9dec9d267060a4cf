-- A card that a member shares by their own click: a public address that says one line about them, until they take it back.
create table private.shared_cards (
  code text primary key default private.new_public_code(),
  user_id uuid not null references auth.users (id) on delete cascade,
  achievement text references private.achievement_kinds (key),
  certificate_id uuid unique references private.certificates (id) on delete cascade,
  member_name text not null,
  shared_at timestamptz not null default now(),
  constraint shared_cards_subject_check check (num_nonnulls(achievement, certificate_id) = 1),
  constraint shared_cards_achievement_key unique (user_id, achievement)
);
comment on table private.shared_cards is 'Cards that members share in public. Written by share_card, deleted by stop_sharing.';
comment on column private.shared_cards.code is 'Opens the public page of the card.';
comment on column private.shared_cards.member_name is 'The name when it was shared; that of the certificate for a certificate.';
create index shared_cards_achievement_idx on private.shared_cards (achievement);
alter table private.shared_cards enable row level security;

-- @rpc authenticated (achievement, certificate_id)
-- Shares one achievement or certificate of the caller as a public card and returns the code of its address.
create function private.share_card(achievement text default null, certificate uuid default null) returns text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  shown_name text := private.display_name(caller);
  shared text;
begin
  perform private.enforce_rate_limit(caller, 'share_card');
  if certificate is not null then
    select c.member_name into shown_name from private.certificates c
    where c.id = certificate and c.user_id = caller and c.revoked_at is null for key share;
  else
    perform from private.achievements a where a.user_id = caller and a.key = share_card.achievement;
  end if;
  if not found or num_nonnulls(achievement, certificate) <> 1 then
    perform private.fail('FF860', 'There is nothing of yours to share here.');
  end if;
  insert into private.shared_cards (user_id, achievement, certificate_id, member_name)
  values (caller, share_card.achievement, certificate, coalesce(shown_name, 'A member'))
  on conflict do nothing returning code into shared;
  return coalesce(shared, (
    select s.code from private.shared_cards s
    where s.user_id = caller and (s.achievement = share_card.achievement or s.certificate_id = certificate)
  ));
end
$$;
comment on function private.share_card(text, uuid) is
  'Makes a card of one achievement or certificate of the caller public and returns its code, the same one each time; FF860 or FF300.';

-- @rpc authenticated
-- Takes back a card that the caller has shared.
create function private.stop_sharing(code text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  delete from private.shared_cards s where s.user_id = caller and s.code = stop_sharing.code;
end
$$;
comment on function private.stop_sharing(text) is 'Takes back a card of the caller. Repeating it does nothing.';

-- The words of a card and nothing else. A revoked certificate and a suspended account have none.
-- @rpc service_role
-- Server: the words of the shared card with this code.
create function private.shared_card(code text, visitor text) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enforce_visitor_limit(visitor, 'public_code');
  return (
    select jsonb_build_object(
      'name', s.member_name, 'title', coalesce(k.title, c.course_title), 'line', coalesce(k.line, 'Finished the course.'),
      'day', (coalesce(a.earned_at, c.completed_at) at time zone 'utc')::date
    )
    from private.shared_cards s
    join auth.users u on u.id = s.user_id and (u.banned_until is null or u.banned_until <= now())
    left join private.achievement_kinds k on k.key = s.achievement
    left join private.achievements a on a.user_id = s.user_id and a.key = s.achievement
    left join private.certificates c on c.id = s.certificate_id
    where s.code = private.tidy_public_code(shared_card.code) and c.revoked_at is null
  );
end
$$;
comment on function private.shared_card(text, text) is 'The words of a shared card, for everybody who knows its code; null for an unknown code, FF300 above thirty a minute.';
