"""Bluetooth networks with BlueZ over D-Bus: what Scripts/bluez-pan is made of."""
