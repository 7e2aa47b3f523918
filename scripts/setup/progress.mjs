const BEAT = 15_000

/** Says what is being done, now and then that it still is, and how long it took. */
export async function longStep(text, work) {
  const begun = Date.now()
  const seconds = () => `${Math.round((Date.now() - begun) / 1000)} s`
  console.log(`${text} …`)
  const beat = setInterval(() => console.log(`  … ${seconds()}`), BEAT)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    console.log(`  took ${seconds()}`)
  }
}
