/** Side by side where there is room: the trail, and what is written at its selected milestone. */
export const columnsClass = 'grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-[21rem_minmax(0,1fr)]'
