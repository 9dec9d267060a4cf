/** Good news, large and small; the format is that of `read-room.ts`. */
export const successRoom = `
21 12:00 Marcus: Good news, large and small. Tell us what worked, and why you think it did.
20 19:20 Nadia: All three families said yes to the group. I'd written a whole page of reasons, and nobody asked for one.
20 19:35 Gareth>Nadia: The page wasn't for them. It rarely is.
19 20:00 Tom: Sold a stool to the man from the café. He asked for it by name. It doesn't have a name, so now it does: the café stool.
19 20:10 Leila>Tom: Names are free and people remember them. Put it on the page before he tells his friends.
18 19:40 Callum: Second van viewed, first van haggled, £900 saved. I used Helen's sentence: "What would you do if you were me?"
18 19:50 Helen>Callum: I'm glad somebody uses it. It's nearly always honest and nearly always cheaper.
17 19:10 Mei: Eleven questions became four, and the client's boss used the word "obvious" as a compliment. I'm having it printed.
16 12:40 Ingrid: Two of the four letters answered. One is only a greeting. The other says: "I always wondered where you went."
16 12:55 Leila>Ingrid: "I always wondered where you went" is worth more than any advert I could sell you.
15 17:20 Helen: A client of mine closed her books for the year in one afternoon. In her first year it took us two weeks and a box of tissues.
14 18:15 Seun: First barber who pays. £9. I know what it costs me to run, so I know it's too little, and I'm framing it anyway.
14 18:30 Mei>Seun: Frame it! The second nine pounds is the business. The first is the story.
13 12:10 Leila: The plumber I work with asked his customers why they chose him. Eight of ten said "he rang back". That's his new front page, three words.
13 12:30 Callum>Leila: I'm stealing the three words. I ring back at twelve and at five.
12 19:00 Tom: Three months of orders on the board. Four stools, and somebody asked whether there's a waiting list. I said yes and then I made one.
12 19:10 Helen>Tom: Saying yes first is occasionally the right order. Take a deposit with each name.
11 12:30 Nadia: Group two starts next week, from the mothers at the gate. I earned more on one evening than on three, and I was home for supper.
11 12:45 Tom>Nadia: Home for supper should have its own column on the sheet.
10 12:10 Hannah: All thirty-seven paid before I lit the oven. I've moved the bread money into the account called bread. It looks like a business from there.
10 17:50 Callum>Hannah: I named mine "not mine". Half of everything goes in there for the tax.
8 19:15 Mei: A client recommended me before I'd finished the job, because the review date was in the plan and she didn't have to ask when.
7 18:20 Rafael: A mother thanked me for the rule before it was even sent. She'd heard about it from her sister. Gossip has its uses.
7 18:35 Beatrice>Rafael: My entire profession runs on it, a century late.
6 19:20 Ingrid: The Bergen text is delivered. They changed two words, and one of the two was mine to begin with.
6 19:30 Nadia>Ingrid: Which one was it?
6 19:40 Ingrid>Nadia: "Salmon". I'd called it something kinder.
5 19:10 Kofi: First trade customer who isn't a Callum. She makes ironwork. She had the money ready in an envelope with my name on it, spelled right.
5 19:20 Callum>Kofi: I want it noted that I was the first. There's a dog to prove it.
5 20:10 Arjun: The first £140 arrived by itself while I was asleep. I didn't know money could do that.
5 20:20 Hannah>Arjun: Asleep! What's that like?
4 18:10 Seun: Eleven barbers. The football one has joined as well, on the condition that nobody can book during the match.
4 18:20 Leila>Seun: Tell me that's a setting now.
4 18:25 Seun>Leila: It's called "do not disturb the beautiful game", and six of them have switched it on.
3 12:30 Tom: The list is at nine names, all with deposits. I checked the sheet, and then I went outside and looked at the workshop for a bit.
3 12:40 Ingrid>Tom: I'd like to have been a passer-by. I would have waved.
3 19:50 Beatrice: The Canadian gentleman's report is in the post: thirty-one pages, one scandal, one medal. He has already asked about his wife's side.
2 12:40 Callum: Four quotes out, three came back yes, and the fourth wrote to say thank you for answering so fast. That's never happened in eleven years.
2 12:55 Gareth>Callum: People are starved of quick, plain answers. You're a feast.
2 20:15 Zoe: Somebody I helped for nothing two years ago has just asked what I charge. I didn't know she'd kept my number.
1 12:15 Arjun: Third garden on a monthly round. This one I didn't ring. She rang me, because the hedge next door looks better than hers.
1 12:30 Leila>Arjun: A hedge that advertises. Put a small sign in it, politely.
1 19:45 Hannah: A customer gave back her bread money and asked for it to go to the food bank table. So now there's a food bank loaf, every week.
0 -140 Piotr: Second doorstep, and this time no rain. She paid by card before I'd opened the toolbox, because I said so on the phone, like Priya says the price.
0 -78 Callum>Piotr: Paid before the toolbox! I'm saying that on the phone from now on.
`;
