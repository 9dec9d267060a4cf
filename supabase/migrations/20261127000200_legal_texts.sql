-- The first version of each legal text, in plain words. An owner edits them in the console.
insert into public.legal_texts (kind, version, body) values ('terms', 1, $text$
Who we are stands at the end of this page. “We” are the seller named there; “you” are the person who holds the account.

## What you buy

A membership runs from month to month. It opens the chat rooms, the library and the tools of your plan, at the price you saw before you paid. Rooms and texts beyond your level open as you reach it; that costs nothing more.

A course on sale is bought once and stays open to you.

## Price and renewal

The price stands beside the button that you pay with. A membership renews by itself each month, with the card you gave us, at the same price for as long as it runs. You can change the card, the plan and the renewal at any time under Membership.

## Leaving

You can cancel at any time under Membership, in two clicks. You keep your access until the end of the month you paid for, and nothing more is charged.

## Changing your mind within 14 days

You can withdraw within 14 days, without giving a reason, and get your money back. [Refunds](/refunds) says how. By paying you ask us to begin at once.

## The guarantee

The guarantee has [terms of its own](/guarantee). They add to your rights by law and take nothing from them.

## What you write

What you write stays yours. You allow us to show it to other members for as long as it stands here. You can delete it, take a copy of all your data, or delete your account, at any time under Account.

## How we treat one another

One person, one account. Be civil, be honest about results, and do not sell to members who did not ask. What breaks these rules may be removed, and an account that keeps breaking them may be suspended.

## What we do not promise

Nothing here is personal financial advice; what you do with your money stays your decision. We are liable for what the law holds us liable for, and for nothing more.

## The law

The law of England and Wales applies; where you live, your rights as a consumer stay yours. If something went wrong, write to us first: most things are settled in a day.
$text$), ('privacy', 1, $text$
This page says what we keep about you, why, and for how long. Who we are stands at the end.

## What we keep

- **Your account**: your email address, a hash of your password, and your second factor if you set one up.
- **Your profile**: the name, occupation and picture you gave, and your answers while joining.
- **What you do here**: what you write, read, complete and like, so that your level, your progress and your guarantee can be counted.
- **Your payments**: what you paid, when, and the last four digits of the card. The card itself goes to our payment provider and never reaches us.
- **Your identity document**, if you sent one: administrators alone see it, each look is written down, and it is deleted thirty days after the decision.

## Why

To do what you bought (the contract with you), to keep books as the law asks, to keep members safe from abuse (our legitimate interest), and, for emails that are not necessary, because you did not switch them off.

## Who else gets it

Our payment provider, our mail server and the company whose machines we rent, each only what it needs. We sell nothing, show no advertising, and follow nobody around other sites.

## Cookies and storage

We set no cookies. Your browser keeps you signed in, remembers what you have not sent yet, and when the countdown of the front page ends. Signing out clears it.

## How long

As long as you have an account. When you delete it, everything goes at once but the books of payments, which the law asks us to keep for six years and which name no person, and the record that the account was deleted.

## Your rights

Take a copy of all of it, correct it, or delete it, under Account. For anything else, write to us. If we answer badly, you can complain to the Information Commissioner's Office (ico.org.uk).
$text$), ('refunds', 1, $text$
## Within 14 days

You have 14 days from the day after your first payment to withdraw from your membership, without giving a reason. Open **Membership** and press *Withdraw from my membership*: your membership ends at once, and we refund everything you paid for it to the card you paid with, at the latest after 14 days. We confirm it by email. This works once a year; if you withdraw again within a year, write to us.

You can also write to us. This form is enough:

> I withdraw from my contract for a membership.
>
> Ordered on: …
>
> My name and the email address of my account: …
>
> Date: …

The same 14 days hold for a course you bought: you give it back under Your courses.

## After 14 days

Cancel at any time. You keep your access until the end of the month you paid for; there is no refund for the rest of a month.

If something did not work, or you were charged by mistake, write to us, and we put it right.

## The guarantee

Under [the guarantee](/guarantee) you get back everything you paid in six months if its terms are met.
$text$);
