-- Every policy asks these. Written in SQL they were planned anew by each statement that asked; in PL/pgSQL a connection
-- keeps their plans, which takes more than half off a page of the library. What they answer is as it was.
create or replace function private.has_live_membership(member uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.stripe_customers c
    join public.stripe_subscriptions s on s.customer_id = c.customer_id
    where c.user_id = member and c.deleted_at is null
      and s.deleted_at is null and s.status in ('active', 'trialing')
  );
end
$$;

create or replace function private.effective_level(member uuid) returns integer
  language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((
    select case
      when p.role = 'admin' then 4
      when p.onboarding_complete and private.has_live_membership(p.id)
        then coalesce((select l.current_level from public.user_levels l where l.user_id = p.id), 1)
      else 0
    end
    from public.profiles p where p.id = member
  ), 0);
end
$$;

create or replace function private.caller_effective_level() returns integer
  language plpgsql stable security definer set search_path = '' as $$
begin
  return private.effective_level(private.require_caller());
end
$$;

create or replace function private.caller_is_admin() returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.profiles p where p.id = auth.uid() and p.role = 'admin');
end
$$;

create or replace function private.caller_is_member() returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.profiles p
    where p.id = auth.uid()
      and (p.role = 'admin' or (p.onboarding_complete and private.has_live_membership(p.id)))
  );
end
$$;
