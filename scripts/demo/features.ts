import type { AlbumPicture } from './album.ts'
import type { DemoEntry, Subject } from './content.ts'

/** An entry of more than the usual length, with pictures in the text. */
type Feature = (pictures: readonly AlbumPicture[]) => DemoEntry

const image = (picture: AlbumPicture | undefined) =>
  picture ? `![${picture.alt}](/files/${picture.fileId} "${picture.caption}")` : ''

/** The first three pictures: adjacent pictures in one paragraph are a gallery. */
const gallery = (pictures: readonly AlbumPicture[]) => pictures.slice(0, 3).map(image).join('\n')

const lastStrip: Feature = (pictures) => ({
  title: 'The last strip closes the hull',
  content: `At ten past nine the whiskey plank went in, the last strip of all. It had to be cut to a shape that no drawing shows: a long thin lens, eleven millimetres at its widest, with a bevel that turns as it goes. I cut it twice too wide on purpose and planed the rest away in **forty-one** small steps.

${gallery(pictures)}

What I would tell myself of last winter:

- a sharp block plane, set so fine that the shavings float
- tape on both sides before the glue, not after it
- a light *under* the hull; the gaps show themselves

> [!TIP]
> Dry-fit the last three strips together. Each of them decides what the next one may be.

### How much wood is in it

The hull has 62 strips of 6 by 19 mm. Weighed on the kitchen scales, with the surface from the lofted stations:

$$ m = \\rho \\cdot A \\cdot t = 350 \\cdot 5.1 \\cdot 0.006 \\approx 10.7\\,\\mathrm{kg} $$

The script that adds up the stations is short enough to keep here:

\`\`\`python
# half girths in millimetres, every 300 mm along the keel
girths = [212, 388, 461, 498, 512, 509, 487, 436, 351, 190]
area = 2 * 0.3 * sum(girths) / 1000
print(f"{area:.1f} square metres")
\`\`\`

### Before the glass goes on

- [x] scrape the glue from the inside
- [x] fill the staple holes with wood dust and epoxy
- [ ] fair the bilge on the left; Grace sees a flat there, and she is right
- [ ] wait for a dry week

${image(pictures[3])}

In the evening I went down to the lake without the boat, just to look at where it will go.`,
  tags: ['hull', 'woodwork', 'lesson'],
})

const iceAge: Feature = (pictures) => ({
  title: 'How old is this ice?',
  content: `The chain gives a temperature every ten centimetres; the ice tells its age only by its thickness. Stefan’s law connects them, if the snow stays away:

$$ h = \\sqrt{\\frac{2 k}{\\rho L} \\sum \\Delta T} $$

${gallery(pictures)}

\`\`\`python
def thickness(freezing_degree_days, k=2.2, rho=917, latent=334_000):
    """Metres of clear ice, after Stefan."""
    return (2 * k * freezing_degree_days * 86_400 / (rho * latent)) ** 0.5

print(f"{thickness(120):.2f} m")
\`\`\`

> [!WARNING]
> With more than three centimetres of snow the law is off by a third. Drill, do not compute.

- [x] drill at all three stations
- [ ] repeat after the thaw`,
  tags: ['data', 'methods', 'fieldwork'],
})

const usual =
  (title: string): Feature =>
  (pictures) => ({
    title,
    content: `A week in three pictures, because the words are for the next one.

${gallery(pictures)}

> [!NOTE]
> Some of this was Grace’s idea; the mistakes are mine.

- [x] take pictures before cleaning up
- [ ] write down what each of them taught`,
    tags: ['lesson'],
  })

const features: Record<string, Feature> = {
  'A cedar-strip canoe for the lake': lastStrip,
  'Thesis: ice on slow rivers': iceAge,
}

/** Returns a long entry that shows most features. */
export function writeFeature(subject: Subject, pictures: readonly AlbumPicture[]): DemoEntry {
  return (features[subject.title] ?? usual('The week in pictures'))(pictures)
}

export const writeDraft = (thing: string): DemoEntry => ({
  title: `Still thinking about ${thing}`,
  content:
    'Not for anybody else yet: three ways to go on, and no favourite among them.\n\n1. wait\n2. begin again\n3. ask',
  tags: [],
})

/** Inserts a picture after the second paragraph of a text. */
export function withPicture(content: string, picture: AlbumPicture): string {
  const [first = '', second = '', ...rest] = content.split('\n\n')
  return [first, second, image(picture), ...rest].join('\n\n')
}
