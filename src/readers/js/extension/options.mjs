const form = document.getElementById("form"), names = ["url", "keys", "onFailure", "minutes"];
const defaults = { url: "http://127.0.0.1:8080", keys: "", onFailure: "open", minutes: 60 };
const saved = await chrome.storage.local.get(defaults);
for (const name of names) form.elements[name].value = saved[name];
form.elements.result.value = "ready";
form.onsubmit = async (event) => {
  event.preventDefault();
  const values = Object.fromEntries(names.map((name) => [name, form.elements[name].value.trim()]));
  await chrome.storage.local.set({ ...values, minutes: Number(values.minutes) });
  const { error } = await chrome.runtime.sendMessage({ refresh: true });
  form.elements.result.value = error ? `failed: ${error}` : "lists fetched";
};
