import { Chat } from './chat.tsx'
import { testimonials } from './voices.ts'

/** What keeping a journal feels like, told by invented people and labelled so. */
export function VoicesSection() {
  return (
    <section
      aria-labelledby="voices"
      className="mx-auto grid max-w-wide gap-x-20 gap-y-10 px-4 py-16 sm:px-6 lg:grid-cols-[minmax(0,30rem)_1fr] lg:py-24"
    >
      <Chat />
      <div className="flex flex-col justify-center max-lg:order-first">
        <h2 id="voices" className="text-3xl font-semibold tracking-tight">
          Voices along the way
        </h2>
        <p className="mt-2 text-sm text-muted">
          Illustrations: the people are invented, the ways of working are not.
        </p>
        <div className="mt-8 flex flex-col gap-8">
          {testimonials.map(({ speaker, text }) => (
            <figure key={text} className="border-l-2 border-accent pl-5">
              <blockquote className="font-reading text-xl">
                <p>“{text}”</p>
              </blockquote>
              <figcaption className="mt-2 text-sm text-muted">{speaker}</figcaption>
            </figure>
          ))}
        </div>
      </div>
    </section>
  )
}
