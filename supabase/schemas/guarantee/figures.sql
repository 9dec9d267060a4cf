-- How claims under the guarantee ended, for visitors too: two counts, and none at all while they are so few that a member
-- could be told apart. Function guarantee-figures gives them out; nobody calls the database for them. docs/subsystems/guarantee.md.
-- @rpc service_role
-- Server: how many claims under the guarantee were decided, and how many granted. Function guarantee-figures gives it to visitors.
create function private.guarantee_figures() returns table (decided bigint, granted bigint)
  language plpgsql stable security definer set search_path = '' as $$
declare
  fewest_shown constant bigint := 5;
begin
  return query
    select f.decided, f.granted
    from (
      select count(*) filter (where c.decided_at is not null) as decided, count(*) filter (where c.state = 'granted') as granted
      from private.guarantee_claims c
    ) f
    where f.decided >= fewest_shown;
end
$$;
comment on function private.guarantee_figures() is
  'How many claims were decided so far, by the rules or an administrator, and how many were granted; no row while fewer than five were decided.';
