-- Row-level security cannot be asked about a deleted row, so live updates told every subscriber of it, by its key. The host
-- reads from a table's comment whose account alone is told. Where the key does not hold that column, nobody is told.
-- `learning_submissions` keeps telling everyone: the feed takes a post away at once, and its id alone says nothing.

create unique index notifications_owner_key on public.notifications (user_id, id);
alter table public.notifications replica identity using index notifications_owner_key;

comment on table public.user_verifications is 'Submitted identity documents and the decisions about them. @deletes_reach user_id';
comment on table public.user_levels is 'Level reached, one row for each member. effective_level also requires a live membership and decides access. @deletes_reach user_id';
comment on table public.user_progress is 'Progress towards the next level, one row for each member, kept by the server. @deletes_reach user_id';
comment on table public.chat_messages is 'Messages of all rooms. A deleted message keeps its row without its text. @deletes_reach user_id';
comment on table public.notifications is 'What members are told of; written by triggers, read through my_notifications. @deletes_reach user_id';
comment on table public.direct_messages is 'Messages between two members; written by functions only. A deleted message keeps its row without its text. @deletes_reach user_id';
