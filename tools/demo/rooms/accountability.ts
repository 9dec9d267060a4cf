/** What members say they will do, and how it went; the format is that of `read-room.ts`. */
export const accountabilityRoom = `
*21 09:10 Marcus: Here you say what you'll do this week and come back to say how it went. Small and certain beats large and vague.
21 19:40 Tom: By the end of the week: hours and money for the last ten things I sold, on one sheet. I've been avoiding this sheet for a year.
21 19:50 Helen>Tom: I'll ask you about it, kindly and by name.
21 20:55 Nadia: This week: ask three pupils' parents whether a group of three would suit them. Only ask. Not build anything.
20 08:10 Ingrid: Mine: write to five people I've translated for through agencies and who have since changed jobs. Five letters, no newsletter.
20 18:40 Callum: Mine's easy to say: open the spreadsheet my wife made for me. It's been on the desktop since the spring.
20 18:50 Tom>Callum: We can open our sheets together. Nine o'clock?
20 18:55 Callum>Tom: Nine it is. Bring biscuits.
19 09:00 Gareth: For me: one chapter of the handbook, four hundred words, before anybody rings.
19 20:40 Callum>Tom: Opened. It isn't a monster, it's three columns and a sad face in the corner.
19 20:50 Tom>Callum: Mine says I earned £6 an hour on chopping boards. I'm keeping the sheet and losing the boards.
18 08:20 Helen>Tom: That is the most expensive sentence you'll write this month, and the most useful. What did tables earn?
18 08:35 Tom>Helen: Nineteen. And the stool, which I never push because it's simple, earned twenty-seven.
18 08:45 Helen>Tom: Simple is usually where the money is. Sit on the stool for a while.
18 19:10 Nadia: Asked three. Two said yes before I'd finished the sentence, the third asked if the other two were clever.
18 19:20 Ingrid>Nadia: What did you say?
18 19:25 Nadia>Ingrid: That they were equally puzzled, which is better.
17 08:30 Ingrid: Four of five letters are out. The fifth is to someone I once disappointed. I'm leaving it for tomorrow, and saying so here.
17 12:10 Mei: I'll send two overdue invoices before lunch. They've been overdue since before I joined.
17 12:55 Mei: Both sent. One was paid within nine minutes. Nine minutes! I had been composing that email for three weeks.
17 13:05 Helen>Mei: People rarely mind being asked. They mind being surprised later.
16 08:05 Ingrid: The fifth letter is gone. She answered in an hour and remembered nothing of what I was ashamed of.
16 08:15 Gareth>Ingrid: They never do. We keep these things for ourselves.
16 20:30 Seun: By the end of the week: five barbers who aren't related to me.
16 20:40 Leila>Seun: Five, and write down what they do now, not what they'd like.
15 09:20 Hannah: I'll take payment before baking, starting with the new list. Telling you so I can't be a coward on the doorstep.
15 09:30 Nadia>Hannah: We'll be on the doorstep with you, in spirit, at a civilised hour.
14 19:30 Hannah: Thirty-one paid in advance, six grumbled and paid, three have gone. I baked thirty-seven loaves and slept until three.
14 19:45 Tom>Hannah: Until three! Practically a holiday.
13 08:10 Seun: Four of five barbers. The fifth closed early because the football was on, which I've put in the notes as well.
13 08:20 Mei>Seun: That's research. A tool that doesn't know about football won't last.
13 18:10 Callum: I'm writing my first quote without help tonight. If it isn't in this room by ten, somebody ring me.
13 21:40 Callum: Sent at twenty to ten. Four lines and a number. I felt ill and then I felt fine.
13 21:50 Gareth>Callum: Four lines! I could not have cut it further.
12 08:30 Rafael: I'll write the cancellation rule down, before the end of the week. Only writing it. Sending it is next week's bravery.
12 08:40 Beatrice>Rafael: And I shall write my price on paper and leave it on the desk where I can see it. We can be brave in turns.
11 09:15 Beatrice: £35 an hour. It's on the desk. I have walked past it eleven times and it hasn't got any smaller.
11 09:25 Helen>Beatrice: Leave it there until it looks ordinary. That usually takes about four days.
10 19:20 Arjun: I'll ring the two gardens. Not tonight, it's raining and they'll be in a mood. Tomorrow at six.
10 19:35 Tom>Arjun: At six tomorrow, then. We'll want to hear.
9 18:30 Arjun: One said yes, the other's on holiday until the weekend. I'd been afraid of this for a year and it took four minutes.
9 18:40 Callum>Arjun: Four minutes! Mine took ten months and a cake.
9 19:10 Rafael: The rule is written. It's shorter than my excuses for not having one.
8 20:20 Priya: By Sunday I'll call three running clubs. If I write here that I sent emails instead, don't let me off.
8 20:30 Tom>Priya: We won't. Which three?
8 20:35 Priya>Tom: The big one by the canal, the one in the park on Saturdays, and the one that only runs uphill.
7 09:00 Kofi: This week: a price for an hour at somebody's work, written down, said aloud to one person who isn't my mother.
7 09:15 Callum>Kofi: Say it to me. I'm the one with the van.
7 12:10 Priya: Two of three clubs called. The uphill people are hard to reach, they're always uphill.
7 18:40 Mei: I'll publish the fixed-price audit page by tomorrow evening, even if I hate the second paragraph.
6 18:50 Mei: Published. I do hate the second paragraph, and nobody has mentioned it.
6 19:05 Leila>Mei: I read it. The second paragraph is fine. The first one should be your customer talking.
5 08:20 Tom: By the end of the week the price list goes on the website. All of it, and no "price on request".
5 08:30 Helen>Tom: I'll look. You know I'll look.
5 19:50 Seun: I'll show the ugly new version to seven barbers without apologising for the colours.
4 09:10 Kofi: £280 for an hour at your work and six finished pictures. I said it to Callum and he said "aye, fine", and we both looked at our shoes.
4 09:25 Tom>Kofi: That's how prices sound when they're right.
4 20:40 Tom: The price list is up. Two enquiries already, both above what I used to ask.
4 20:50 Helen>Tom: I looked. The stool comes first. Good.
4 21:05 Ingrid>Tom: "No price on request" is now on a card above my desk, thank you.
3 08:40 Hannah: I want one free weekend a month. I'm going to put it on the order page before I can negotiate with myself.
3 12:20 Nadia>Hannah: Put it in the calendar for the whole year. I did that with Sundays and nobody has died.
3 18:15 Zoe: First small promise here: ask two former colleagues who run tiny firms what they did the last time someone left.
3 18:30 Helen>Zoe: What they did, not what they thought. You've understood this room already.
2 09:40 Seun: Shown to seven. Five found the second notebook by themselves, one asked what it would cost for two chairs, and one fell asleep, but he'd been up with a baby.
2 09:55 Leila>Seun: Two chairs! What did you say?
2 10:05 Seun>Leila: I said sixteen pounds a month, out loud, with my actual mouth.
2 18:00 Hannah: It's on the page: "No bread on the first weekend of the month." One customer has already written to say good.
1 08:15 Zoe: Both asked. One said she cried in the stock room, the other said he wrote a letter and never sent it. I have my offer, I think.
1 08:30 Gareth>Zoe: Write it while you can still hear them.
1 18:20 Priya: Two places sold for Saturday, two to go. I asked, aloud, with the price at the end of the sentence and nothing after it.
1 18:30 Callum>Priya: Nothing after it! That's the hard part.
1 20:10 Piotr: I'll begin small: three evening repairs this week, on three different streets, each paid before I pedal home.
0 -205 Arjun: This week I'm asking the old customers, the ones I only ever saw once. Five calls, from the van, engine off.
0 -120 Tom>Piotr: Write down which street pays without haggling. In a month that list is your map.
0 -35 Callum>Arjun: Engine off. That's how I know you mean it.
`;
