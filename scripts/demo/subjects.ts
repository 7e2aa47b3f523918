/** What a demo project is about: everything here is invented. */
export type Subject = {
  title: string
  description: string
  milestones: readonly (readonly [title: string, description: string])[]
  tags: readonly string[]
  things: readonly string[]
}

export const subjects: readonly Subject[] = [
  {
    title: 'A cedar-strip canoe for the lake',
    description:
      'Building a fifteen-foot canoe in the garage, one strip at a time, and learning to plane as I go.',
    milestones: [
      ['Plans and lumber', 'Choose a hull, loft the forms and find straight western red cedar.'],
      ['Forms and strongback', 'A straight spine for everything that follows.'],
      ['Stripping the hull', 'Bead and cove, glue and staples, from the waterline up.'],
      ['Fairing and glass', 'Plane, sand, sand again, then cloth and epoxy.'],
      ['Gunwales, seats and varnish', 'The parts that hands will touch.'],
      ['First water', 'Carry it to the lake and see what floats.'],
    ],
    tags: ['woodwork', 'epoxy', 'tools', 'hull', 'lesson'],
    things: [
      'the block plane',
      'a clamp made of inner tube',
      'the stem',
      'the third strip',
      'the sheer line',
    ],
  },
  {
    title: 'Bread for forty neighbours',
    description: 'From one jar of starter to a weekly bake for the whole street.',
    milestones: [
      ['A starter that survives', 'Feed it, name it, keep it alive for a month.'],
      ['One good loaf, ten times', 'The same loaf until it comes out the same.'],
      ['The oven in the yard', 'Brick, sand and a lot of patience.'],
      ['The first Saturday', 'Forty loaves, one table, no price list.'],
    ],
    tags: ['sourdough', 'oven', 'recipe', 'lesson', 'neighbours'],
    things: ['the rye starter', 'a hydration of 74 percent', 'the arch of the oven', 'the proofing baskets'],
  },
  {
    title: 'Thesis: ice on slow rivers',
    description: 'Three winters of measuring how thin ice forms, moves and breaks where the current is slow.',
    milestones: [
      ['Reading and questions', 'What is known, and the gap that is mine.'],
      ['Instruments', 'Thermistor chains that survive being frozen in.'],
      ['First winter', 'Everything that could go wrong, did so in January.'],
      ['Second winter', 'Data, at last.'],
      ['Writing up', 'Six chapters and a defence.'],
    ],
    tags: ['fieldwork', 'data', 'methods', 'writing', 'cold'],
    things: ['the thermistor chain', 'chapter two', 'the drift camera', 'the regression on ice age'],
  },
  {
    title: 'A radio that fits in a matchbox',
    description:
      'A receiver for the 40-metre band with as few parts as will do, and notes good enough to repeat it.',
    milestones: [
      ['Schematic', 'Direct conversion, one chip, one filter.'],
      ['Breadboard', 'Noise, hum and at last a voice.'],
      ['Board', 'Two layers, hand soldered.'],
      ['The matchbox', 'A case, a knob and a field day.'],
    ],
    tags: ['electronics', 'rf', 'schematic', 'soldering', 'field day'],
    things: ['the band-pass filter', 'the local oscillator', 'a stubborn hum', 'the ground plane'],
  },
  {
    title: 'The school garden',
    description: 'Twelve beds, two hundred children and one hose.',
    milestones: [
      ['Permission and soil', 'A sunny corner behind the gym, and what grows in it now.'],
      ['Beds', 'Larch boards, screws and a Saturday.'],
      ['Planting', 'Peas first; they forgive.'],
      ['Harvest table', 'Everybody eats something that they grew.'],
    ],
    tags: ['soil', 'planting', 'children', 'compost', 'harvest'],
    things: ['the third bed', 'a wheelbarrow of compost', 'the pea trellis', 'the watering rota'],
  },
  {
    title: 'Learning the cello at fifty',
    description: 'A teacher, half an hour a day, and one suite by Bach at the end of it.',
    milestones: [
      ['Open strings', 'A straight bow and a patient household.'],
      ['First position', 'Where the fingers live.'],
      ['Shifting', 'Leaving home and coming back in tune.'],
      ['The first prelude', 'All of it, slowly, from memory.'],
    ],
    tags: ['practice', 'bowing', 'intonation', 'bach', 'lesson'],
    things: ['the bow hold', 'a slow scale in G', 'bars 1 to 12', 'the metronome at 60'],
  },
]
