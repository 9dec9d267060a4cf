-- What the statements of the REST API use. Every role may: none of it reads anything.
-- In schema extensions, which the advisors leave out: an aggregate cannot have the fixed search path they ask for.
grant usage on schema extensions to public;

-- A sum that begins 2^40 below the largest bigint, so that adding more than 2^40 raises 22003. The length of
-- every row of an answer is added, scaled so that the largest answer allowed comes to 2^40.
create aggregate extensions.bounded_sum(int8) (
  sfunc = int8pl,
  stype = int8,
  initcond = '9223370937343148031',
  parallel = safe
);
