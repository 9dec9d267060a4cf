/** Finding and keeping customers, open from level 3; the format is that of `read-room.ts`. */
export const firstClientsRoom = `
8 21:10 Tom: Level three, and it's very quiet in here. First thought: none of my last five customers came from anything I posted. All five saw a stool in somebody's kitchen.
8 21:20 Ingrid>Tom: Then the kitchen is your shop window. What's in it for the owner of the kitchen?
8 21:30 Tom>Ingrid: Nothing, so far. I'd been thinking of a card in each parcel with my next free date on it.
8 21:35 Ingrid>Tom: A date is better than a discount. It says that you're busy, and it's true.
7 20:40 Ingrid: I've one direct client, and I'm tempted to wait politely for the second. Somebody stop me.
7 20:50 Nadia>Ingrid: Stop. You wrote five letters once and it worked. Who are the next five?
7 21:00 Ingrid>Nadia: People in the same building as the first one, I think. There are four firms on that quay, and they all export.
6 20:10 Callum: Six of my twenty-six names have booked. Not one asked for a website.
6 20:20 Leila>Callum: They will, once they've got to tell a friend who you are. One page, the laughing picture, and the hours when you ring back.
6 20:35 Nadia: Parents ask each other at the gate, so I've asked two of them to say only this: "Nadia has one place." It's true, and it travels.
5 19:40 Mei: My first three clients as a freelance were former colleagues. How do you get past the people who already like you?
5 19:55 Leila>Mei: By the people they like. Ask for one name, not for "anyone who might be interested".
5 20:10 Nadia>Mei: And ask right after you've handed something over, when they're pleased. Not six weeks later, when they're busy.
4 19:50 Ingrid: Two of the four firms on the quay have answered. One of the two wants to meet, on a screen, next week.
4 20:00 Tom>Ingrid: From five letters to a quay. I'm enjoying this very much.
3 20:05 Mei: I asked for one name. She gave me two, and introduced me to both before I'd put the phone down.
3 20:15 Leila>Mei: One name always brings a second along. Nobody knows why.
2 21:20 Callum: The first customer who found me through the page says that she chose the dog.
2 21:30 Leila>Callum: Then the dog stays on the front page.
1 21:20 Tom: Eleven cards have gone out in parcels. Two people have rung and asked for the date by name, as if it were an appointment with a surgeon.
0 -145 Leila: For next week I'd like one number from each of you: of the last ten who asked, how many bought? Don't improve it first.
0 -75 Callum>Leila: Seven of ten. I counted twice, because I didn't believe it.
`;
