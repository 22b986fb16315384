// Whether this reader wants to hear nothing but what is urgent and calls for help.
const KEPT = 'tour-chat.mute';

export const isMuted = () => localStorage.getItem(KEPT) === 'on';
export const mute = (isOn) => localStorage.setItem(KEPT, isOn ? 'on' : 'off');
