"""Bluetooth networks with BlueZ over D-Bus: the parts of Scripts/bluez-pan."""
