// Tones and vibration for what is urgent, while the page is open.
import { set, setting } from './store.js';

let audio = null, tapped = false;

/** Whether only what is urgent and calls for help may be heard, as the guest wants it. */
export const isMuted = () => setting('mute') === 'on';
export const mute = (isOn) => set('mute', isOn ? 'on' : 'off');

/** A browser plays nothing before the first tap, and complains of it. */
export function listenForTaps() {
  addEventListener('pointerdown', () => {
    tapped = true;
    try {
      audio = audio || new (self.AudioContext || self.webkitAudioContext)();
      if (audio.state === 'suspended') audio.resume();
    } catch { /* There is no sound here. */ }
  });
}

export function ring() {
  if (tapped && navigator.vibrate) navigator.vibrate([200, 100, 200, 100, 400]);
  if (!audio || audio.state !== 'running') return;
  const from = audio.currentTime;
  for (const [at, frequency] of [[0, 880], [0.25, 660], [0.5, 880]]) {
    const tone = audio.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(audio.destination);
    tone.start(from + at);
    tone.stop(from + at + 0.2);
  }
}
