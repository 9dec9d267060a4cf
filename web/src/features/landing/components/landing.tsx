export function Landing() { return <main>soon</main>; }
